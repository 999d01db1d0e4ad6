import { randomUUID } from 'node:crypto'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { readableEmail } from '@nifty/service-kit/base/readable-email'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { insertMail } from '../mails/mail.actions.ts'
import type { ContactForm } from './contact-form.ts'
import {
  ANSWER_TEMPLATE,
  type ContactMessage,
  findAnswer,
  findAnswers,
  insertAnswer,
  insertContactMessage,
  lockContactMessage,
  updateContactMessage,
} from './contact-message.store.ts'
import { answerText } from './contact-message.templates.ts'

type Trx = Transaction<Database>

/** Stores a message of the contact page, and queues it as a mail to the operator. */
export async function receiveContactMessage(trx: Trx, form: ContactForm, operatorEmail: string) {
  const { name, email, subject, message } = form
  const messageId = randomUUID()
  const { id } = await insertContactMessage(trx, { ...form, messageId })
  await insertMail(trx, {
    template: 'contact-form',
    subjectId: id,
    recipient: operatorEmail,
    messageId,
    replyTo: email,
    subject: `Contact: ${subject}`,
    text: `${name} <${readableEmail(email)}> wrote:\n\n${message}\n`,
    // Untrusted text is sent as text only.
    html: null,
  })
}

export const contactMessageNotFound = () => notFound('contact_message_not_found', 'This message does not exist')

/** Throws 404 `contact_message_not_found`. */
async function lock(trx: Trx, id: string): Promise<ContactMessage> {
  const message = await lockContactMessage(trx, id)
  if (!message) throw contactMessageNotFound()
  return message
}

type Answer = OperatorReason & { answerId: string; text: string }

/**
 * Queues a reply to the sender in the thread of the message. A repeated one changes nothing. Throws 404
 * `contact_message_not_found`, 409 `contact_message_closed`, and `answer_exists` for the id of another reply.
 */
export async function answerContactMessage(
  trx: Trx,
  id: string,
  { answerId, text, operator, reason }: Answer,
  { store, operatorEmail }: { store: Store; operatorEmail: string },
) {
  const contactMessage = await lock(trx, id)
  const earlier = await findAnswer(trx, answerId)
  if (earlier) {
    if (earlier.contactMessageId !== id || earlier.text !== text || earlier.operator !== operator)
      throw conflict('answer_exists', 'Another answer has this id: what was sent is in the thread')
    return
  }
  const answers = await findAnswers(trx, id)
  const { state } = contactMessage
  if (state === 'closed' || state === 'spam')
    throw conflict('contact_message_closed', 'This message is closed', { details: { state } })

  const messageId = randomUUID()
  await insertAnswer(trx, { id: answerId, contactMessageId: id, operator, text, messageId })
  await insertMail(trx, {
    template: ANSWER_TEMPLATE,
    subjectId: `${id}.${answerId}`,
    recipient: contactMessage.email,
    messageId,
    thread: [contactMessage.messageId, ...answers.map((answer) => answer.messageId)],
    replyTo: operatorEmail,
    subject: `Re: ${contactMessage.subject}`,
    text: answerText(contactMessage, text, store),
    html: null,
  })
  await updateContactMessage(trx, id, { state: 'answered', answeredAt: new Date(), answeredBy: operator })
  await recordOperatorAction(trx, { action: 'answer contact message', subject: id, operator, reason })
}

/** `assignedTo`: name of an operator, or null. Throws 404 `contact_message_not_found`. */
export async function assignContactMessage(
  trx: Trx,
  id: string,
  { assignedTo, operator, reason }: OperatorReason & { assignedTo: string | null },
) {
  const message = await lock(trx, id)
  if (message.assignedTo === assignedTo) return
  await updateContactMessage(trx, id, { assignedTo })
  await recordOperatorAction(trx, { action: 'assign contact message', subject: id, operator, reason })
}

/** Throws 404 `contact_message_not_found`. */
export async function setContactMessageState(
  trx: Trx,
  id: string,
  { state, operator, reason }: OperatorReason & { state: 'open' | 'closed' | 'spam' },
) {
  const message = await lock(trx, id)
  if (message.state === state) return
  await updateContactMessage(trx, id, { state })
  await recordOperatorAction(trx, { action: `contact message: ${state}`, subject: id, operator, reason })
}
