import * as api from '@nifty/api/notification/contact-messages'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import * as actions from './contact-message.actions.ts'
import {
  type ContactMessage,
  countContactMessages,
  findAnswers,
  findContactMessage,
  findContactMessages,
} from './contact-message.store.ts'

/** For operators; only on the internal port. */
export const contactMessageRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db } = deps

  registerRoute(app, api.searchContactMessages, async ({ body }) => {
    const found = await findContactMessages(db, body)
    const messages = found.slice(0, api.CONTACT_MESSAGES_PAGE)
    return {
      messages: messages.map(toView),
      next: found.length > messages.length ? messages.at(-1)!.id : null,
      counts: await countContactMessages(db),
    }
  })

  registerRoute(app, api.getContactMessage, async ({ params: { id } }) => readThread(db, id))

  registerRoute(app, api.assignContactMessage, async (request) => {
    const { id } = request.params
    await inTransaction(db, (trx) => actions.assignContactMessage(trx, id, actionOf(request)))
    return readThread(db, id)
  })

  registerRoute(app, api.answerContactMessage, async (request) => {
    const { id } = request.params
    await inTransaction(db, (trx) => actions.answerContactMessage(trx, id, actionOf(request), deps))
    return readThread(db, id)
  })

  registerRoute(app, api.setContactMessageState, async (request) => {
    const { id } = request.params
    await inTransaction(db, (trx) => actions.setContactMessageState(trx, id, actionOf(request)))
    return readThread(db, id)
  })
}

const toView = ({ id, name, email, subject, at, state, assignedTo, answeredAt, answeredBy }: ContactMessage) => ({
  _id: id,
  name,
  email,
  subject,
  at: at.toISOString(),
  state,
  assignedTo,
  answeredAt: answeredAt?.toISOString() ?? null,
  answeredBy,
})

async function readThread(db: Kysely<Database>, id: string): Promise<api.ContactThread> {
  const message = await findContactMessage(db, id)
  if (!message) throw actions.contactMessageNotFound()
  const answers = await findAnswers(db, id)
  return {
    ...toView(message),
    message: message.message,
    answers: answers.map(({ id: _id, operator, text, at, sentAt, failedAt }) => ({
      _id,
      operator,
      text,
      at: at.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
      failedAt: failedAt?.toISOString() ?? null,
    })),
  }
}
