import { currentTraceparent } from '@nifty/service-kit/traces/trace'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type Letter, letterAsHtml, letterAsText } from './email-layout.ts'

export type Envelope = {
  /** Template and subject together are sent once, however often the reason for it arrives. */
  template: string
  subjectId: string
  recipient: string
  letter: Letter
}

/** Puts a mail in line, in the transaction of what it tells of. */
export async function queueLetter(trx: Transaction<Database>, { template, subjectId, recipient, letter }: Envelope) {
  await trx
    .insertInto('mail')
    .values({
      template,
      subjectId,
      recipient,
      replyTo: null,
      subject: letter.subject,
      text: letterAsText(letter),
      html: letterAsHtml(letter),
      error: null,
      sentAt: null,
      givenUpAt: null,
      traceparent: currentTraceparent(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
