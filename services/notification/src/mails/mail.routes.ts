import * as api from '@nifty/api/notification/mails'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { repeatMail } from './mail.actions.ts'
import { findMail, findMailsOf, type Mail, repeatOf } from './mail.store.ts'

/** For operators; only on the internal port. */
export const mailRoutes: FastifyPluginAsync<Deps> = async (app, { db, store }) => {
  registerRoute(app, api.findMails, async ({ body: { ids = [], email = null } }) => ({
    mails: (await findMailsOf(db, { ids, email, limit: api.FOUND_MAILS })).map(toView),
  }))

  registerRoute(app, api.repeatMail, async (request) => {
    const id = await inTransaction(db, (trx) => repeatMail(trx, actionOf(request), store))
    return toView((await findMail(db, id))!)
  })
}

const toView = (mail: Mail): api.Mail => ({
  _id: mail.id,
  template: mail.template,
  subjectId: mail.subjectId,
  recipient: mail.recipient,
  subject: mail.subject,
  queuedAt: mail.queuedAt.toISOString(),
  sentAt: mail.sentAt?.toISOString() ?? null,
  failedAt: mail.failedAt?.toISOString() ?? null,
  failure: mail.failure,
  error: mail.error,
  repeat: repeatOf(mail),
})
