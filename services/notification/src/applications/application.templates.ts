import type { sellerApplicationChanged } from '@nifty/events/auth'
import { readableEmail } from '@nifty/service-kit/base/readable-email'
import type { Static } from 'typebox'
import type { EmailContent } from '../mails/email-layout.ts'

export type Application = Static<typeof sellerApplicationChanged.data>

export const applicationReceived = ({ url }: { url: string }): EmailContent => ({
  subject: 'We have your application to sell',
  paragraphs: [
    'Thank you for applying to sell your works here. A person reads every application, and we answer by mail.',
    'Until then you can read it on our site, and take it back.',
  ],
  action: { label: 'See my application', url },
})

const paragraphsOf = (answer: string) => answer.split(/\s*\n\s*/).filter(Boolean)

export const applicationGranted = ({ answer, url }: { answer: string; url: string }): EmailContent => ({
  subject: 'You can sell your works now',
  paragraphs: [
    'From now on you can sell your works here. Please log in again: your studio is open, and you can mint works, set prices and follow your sales there.',
    ...paragraphsOf(answer),
  ],
  action: { label: 'Open my studio', url },
})

export const applicationDeclined = ({ answer, url }: { answer: string; url: string }): EmailContent => ({
  subject: 'About your application to sell',
  paragraphs: [
    'Thank you for showing us your works. We cannot accept your application at present.',
    ...paragraphsOf(answer),
    'You can apply again in 30 days.',
  ],
  action: { label: 'See my application', url },
})

/** For the operator, as text only: what the applicant wrote is in no command that could be copied to a shell. */
export const applicationText = ({ username, firstName, email, links, message }: Application) =>
  [
    `${firstName} (${username}) <${readableEmail(email)}> applies to sell:`,
    links.join('\n'),
    message,
    'To answer: pnpm ops answer-application',
  ].join('\n\n')
