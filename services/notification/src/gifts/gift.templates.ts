import { GIFT_DAYS } from '@nifty/api/gift-text'
import type { EmailContent, MailedWork } from '../mails/email-layout.ts'

type GiftMail = {
  work: MailedWork
  /** The giver's; empty without one. */
  text: string
  url: string
  /** ISO 8601. */
  until: string
}

/** The name of the giver is not in the mail: it is free text of an account that may be anybody's. */
export const giftOf = ({ work, text, url, until }: GiftMail): EmailContent => ({
  works: [work],
  subject: `A gift for you: “${work.name}”`,
  paragraphs: [
    `Somebody who knows your address gives you “${work.name}”, a work of digital art.`,
    ...(text ? ['They wrote:', ...text.split(/\n+/)] : []),
    'Accept it, and it is yours. We keep it for you, free of charge: you need an account and no wallet.',
  ],
  facts: [
    ['Work', work.name],
    ['Accept it until', dayOf(until)],
  ],
  action: { label: 'See your gift', url },
  footnote: 'Whoever has this link can accept the gift. If it is not for you, do nothing: it goes back to its giver.',
})

/** `16 February 2027` */
const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))

type Ended = { name: string; action: { label: string; url: string } }

export const giftAccepted = ({ name, action }: Ended): EmailContent => ({
  subject: `Your gift “${name}” was accepted`,
  paragraphs: [`“${name}” is its recipient’s now. Thank you for giving art.`],
  facts: [['Work', name]],
  action,
})

export const giftLapsed = ({ name, action }: Ended): EmailContent => ({
  subject: `Your gift “${name}” was not accepted`,
  paragraphs: [
    `Nobody accepted “${name}” within ${GIFT_DAYS} days, so it stays with you, and the link in the mail no longer works. You can keep the work, or give it again.`,
  ],
  facts: [['Work', name]],
  action,
})
