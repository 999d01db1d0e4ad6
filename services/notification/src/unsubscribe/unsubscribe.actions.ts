import type { NotificationFlags } from '@nifty/api/auth/account'
import { switchNotifications } from '@nifty/api/auth/internal'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import type { Unsubscription } from './unsubscribe-token.ts'

type Deps = { db: Kysely<Database>; auth: ServiceClient }

const noNews = { companyNews: false, unsubscribeNews: true }

/**
 * Ends the mails of a list; idempotent. The newsletter ends for the address and for its account. Auth keeps the flags,
 * so that the settings show it. Throws 503 while auth does not respond.
 */
export async function unsubscribe({ db, auth }: Deps, { list, id }: Unsubscription) {
  if (list === 'newsletter') {
    const { rows } = await sql<{ userId: string }>`
      select user_id from recipient join subscriber on lower(recipient.email) = subscriber.email
      where subscriber.id = ${id} and deleted_at is null and wants_news`.execute(db)
    for (const { userId } of rows) await switchFlags(auth, userId, noNews)
    await db.deleteFrom('subscriber').where('id', '=', id).execute()
    return
  }
  await switchFlags(auth, id, list === 'companyNews' ? noNews : { [list]: false })
}

/** An account that was deleted meanwhile gets no mails any more. */
async function switchFlags(auth: ServiceClient, id: string, flags: Partial<NotificationFlags>) {
  try {
    await auth(switchNotifications, { params: { id }, body: flags })
  } catch (error) {
    if (!(error instanceof ExpectedError) || error.code !== 'user_not_found') throw error
  }
}
