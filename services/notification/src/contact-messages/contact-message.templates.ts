import { footerOf, type Store } from '../mails/email-layout.ts'

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

/** What an operator wrote, the store, and below it the message that was sent. */
export const answerText = (message: { message: string; at: Date }, text: string, store: Store): string =>
  [
    text.trim(),
    footerOf(store),
    `On ${message.at.toISOString().slice(0, 10)} you wrote:`,
    `${quoted(message.message)}\n`,
  ].join('\n\n')
