import { announceExport, getWithdrawer } from '@nifty/api/auth/internal'
import { exportMails } from '@nifty/api/own-data'
import { readOwnData, type Section, securityEventsOf } from '@nifty/service-kit/database/own-data'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { registerOwnDataExport } from '@nifty/service-kit/http/own-data.routes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Export of the caller's own data. */
export const ownDataRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth }) => {
  registerRoute(app, exportMails, async (request) => {
    const { userId } = callerOf(request)
    await auth(announceExport, { params: { id: userId } })
    return readOwnData(db, await sectionsOf(auth, userId), request.query.after)
  })
}

/** For operators; only on the internal port. */
export const ownDataOpsRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth }) =>
  registerOwnDataExport(app, db, (userId) => sectionsOf(auth, userId))

async function sectionsOf(auth: ServiceClient, userId: string): Promise<Section[]> {
  const { emailConfirmed } = await auth(getWithdrawer, { params: { id: userId } })
  return [addressOf(userId), noticesOf(userId), ...(emailConfirmed ? mailsOf(userId) : []), securityEventsOf(userId)]
}

const addressOf = (userId: string): Section => ({
  kind: 'mail_address',
  query: sql`
    select user_id::text as key, email, wants_messages from recipient where user_id = ${userId} and deleted_at is null`,
})

const noticesOf = (userId: string): Section => ({
  kind: 'notice',
  query: sql`
    select id::text as key, what, item_id, name, artist, price_cents, at, read_at from notice where user_id = ${userId}`,
})

/** Only of a confirmed address: anyone can sign up with the address of another person. */
const mailsOf = (userId: string): Section[] => [
  {
    kind: 'newsletter',
    query: sql`
      select 'newsletter' as key, subscriber.email, requested_at, confirmed_at
      from recipient join subscriber on subscriber.email = lower(recipient.email)
      where user_id = ${userId} and deleted_at is null`,
  },
  {
    kind: 'mail',
    query: sql`
      select mail.id::text as key, template, subject, queued_at, sent_at, failed_at
      from recipient join mail on mail.recipient = recipient.email
      where user_id = ${userId} and deleted_at is null`,
  },
  {
    kind: 'contact_message',
    query: sql`
      select contact_message.id::text as key, name, contact_message.email, subject, message, at, state, answered_at,
        (select coalesce(json_agg(json_build_object('text', text, 'at', contact_answer.at) order by contact_answer.at), '[]')
          from contact_answer where contact_message_id = contact_message.id) as answers
      from recipient join contact_message on lower(contact_message.email) = lower(recipient.email)
      where user_id = ${userId} and deleted_at is null`,
  },
]
