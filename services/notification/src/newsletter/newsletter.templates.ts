import type { EmailContent } from '../mails/email-layout.ts'

export const confirmSubscription = ({
  url,
  unsubscribeUrl,
  storeName,
}: {
  url: string
  unsubscribeUrl: string
  storeName: string
}): EmailContent => ({
  subject: `Confirm your ${storeName} newsletter`,
  paragraphs: ['You asked for our newsletter. Please confirm it once, so that nobody can sign you up for it but you.'],
  action: { label: 'Yes, send me the newsletter', url },
  footnote: 'You did not ask for this? Then ignore this mail; we will not write again.',
  unsubscribe: { label: 'Unsubscribe from the newsletter', url: unsubscribeUrl },
})
