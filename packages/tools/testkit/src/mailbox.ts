import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

/** The first link that matches in the mails to an address; waits for the mail. */
export const linkInMail = (run: RunFile, email: string, kind: RegExp): Promise<string> =>
  waitUntil(async () => {
    const response = await fetch(`${run.mailboxUrl}/api/email`)
    const mails = (await response.json()) as { to: { address: string }[]; text: string }[]
    const mine = mails.filter(({ to }) => to.some(({ address }) => address === email)).map(({ text }) => text)
    return mine.join('\n').match(kind)?.[0]
  })
