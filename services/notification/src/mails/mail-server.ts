import { parseEmail } from '@nifty/api/email-address'

/** A name, which may be empty, and an address. */
export type Mailbox = { name: string; address: string }

/** Reads `Name <name@example.com>` or an address alone; undefined for another text. The name needs no quotes. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', inBrackets] = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? []
  const address = parseEmail(inBrackets ?? text)
  return address === null ? undefined : { name, address }
}

/** This machine, or a name of the own network, such as the mailbox of a composed store. */
const isLocal = (hostname: string) =>
  hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /^[^.:[\]]+$/.test(hostname)

/**
 * The address of a mail server as nodemailer takes it. Outside local hosts nothing is sent without TLS: a server that
 * offers no STARTTLS gets no mail, because mails have tokens. Options of nodemailer in the address cannot change that.
 */
export function withTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  if (isLocal(url.hostname)) return smtpUrl
  url.searchParams.set('requireTLS', 'true')
  return url.href
}
