import type { RunFile } from '@nifty/local/run-file'
import { until } from './until.ts'

/** The first link of this kind in the mails to an address, once it has arrived. */
export const linkInMail = (run: RunFile, email: string, kind: RegExp): Promise<string> =>
  until(async () => {
    const response = await fetch(`${run.mailboxUrl}/api/email`)
    const mails = (await response.json()) as { to: { address: string }[]; text: string }[]
    const mine = mails.filter(({ to }) => to.some(({ address }) => address === email)).map(({ text }) => text)
    return mine.join('\n').match(kind)?.[0]
  })
