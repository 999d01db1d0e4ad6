import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { insertMail, queueMail } from '../mails/mail.actions.ts'
import {
  type Application,
  applicationDeclined,
  applicationGranted,
  applicationReceived,
  applicationText,
} from './application.templates.ts'

/**
 * Mails an application to the operator and its receipt to the applicant, or the decision to the applicant. Nothing for
 * states of later releases.
 */
export async function queueApplicationMails(
  trx: Transaction<Database>,
  event: Application,
  { store, operatorEmail }: { store: Store; operatorEmail: string },
) {
  const { applicationId, state, answer, email } = event
  const [applicationUrl, studioUrl] = [`${store.publicUrl}/sell`, `${store.publicUrl}/studio`]
  const contents = {
    waiting: applicationReceived({ url: applicationUrl }),
    granted: applicationGranted({ answer, url: studioUrl }),
    declined: applicationDeclined({ answer, url: applicationUrl }),
  }
  if (!Object.hasOwn(contents, state)) return
  const template = `application-${state}`
  const content = contents[state as keyof typeof contents]
  await queueMail(trx, { store, template, subjectId: applicationId, recipient: email, content })
  if (state === 'waiting')
    await insertMail(trx, {
      template: 'application',
      subjectId: applicationId,
      recipient: operatorEmail,
      replyTo: email,
      subject: 'An application to sell',
      text: applicationText(event),
      html: null,
    })
}
