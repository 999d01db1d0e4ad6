import type { EmailContent } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

const partNames: Record<string, string> = {
  avatar: 'picture',
  cover: 'cover',
  name: 'name',
  description: 'text',
  links: 'links',
}

const writing = (contactUrl: string) => ({
  action: { label: 'Write to us', url: contactUrl },
  footnote: 'You think that this is a mistake? Then write to us.',
})

type Removal = { parts: string[]; reason: string; at: string; storeName: string; contactUrl: string }

/** The mail about parts of a profile that an operator removed. */
export const profilePartsRemoved = ({ parts, reason, at, storeName, contactUrl }: Removal): EmailContent => ({
  subject: `Something was removed from your ${storeName} profile`,
  paragraphs: [
    'We removed what is named below from your profile. It is on no page any more.',
    ...(parts.includes('name') ? ['Your user name is shown in place of your name.'] : []),
  ],
  facts: [
    ['Removed', parts.flatMap((part) => (Object.hasOwn(partNames, part) ? [partNames[part]!] : [])).join(', ')],
    ['Reason', reason],
    ['Time', timeText(at)],
  ],
  ...writing(contactUrl),
})

/** The mail about a work that an operator hid. */
export const workHidden = ({
  name,
  reason,
  at,
  contactUrl,
}: {
  name: string
  reason: string
  at: string
  contactUrl: string
}): EmailContent => ({
  subject: `“${name}” is not shown in the store any more`,
  paragraphs: ['We have hidden this work of yours: it is on no page of the store and not for sale. It stays yours.'],
  facts: [
    ['Work', name],
    ['Reason', reason],
    ['Time', timeText(at)],
  ],
  ...writing(contactUrl),
})
