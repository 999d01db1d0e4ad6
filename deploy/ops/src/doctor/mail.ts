import { missing, note, type Outcome, ok } from './check.ts'

/** `verify`: connects with TLS, greets and logs in, as nodemailer does; throws what the server refuses. */
export async function checkMailServer(
  smtpUrl: string | undefined,
  verify: (url: string) => Promise<unknown>,
): Promise<Outcome> {
  if (!smtpUrl) return missing('SMTP_URL is not set: mails stay in the local mailbox')
  await verify(smtpUrl)
  return ok(`${new URL(smtpUrl).host} accepts the log-in`)
}

/** Texts of a name of the DNS, each in its parts. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** Without these names, not without a server. */
const isAbsent = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The texts of a name that are like this; null where no DNS server responds. */
async function find(resolveTxt: ResolveTxt, name: string, pattern: RegExp): Promise<string[] | null> {
  try {
    return (await resolveTxt(name)).map((parts) => parts.join('')).filter((text) => pattern.test(text))
  } catch (error) {
    return isAbsent(error) ? [] : null
  }
}

export async function checkSpf(domain: string, resolveTxt: ResolveTxt): Promise<Outcome> {
  const records = await find(resolveTxt, domain, /^v=spf1( |$)/i)
  if (records === null) return note('no DNS server responds here')
  const [found, second] = records
  if (!found) return missing(`${domain} has no SPF record: add the one of your mail provider`)
  // RFC 7208, 4.5.
  if (second) return missing(`${domain} has ${records.length} SPF records, so that none counts: make one of them`)
  if (/^v=spf1\s+[-~]all\s*$/i.test(found)) return missing(`${domain} lets no server send: add your mail provider`)
  return ok(`${domain}: ${found}`)
}

export async function checkDkim(
  domain: string,
  selector: string | undefined,
  resolveTxt: ResolveTxt,
): Promise<Outcome> {
  if (!selector)
    return note('DKIM_SELECTOR is not set: name the selector of your mail provider, and its record is read')
  const name = `${selector}._domainkey.${domain}`
  // RFC 6376, 3.6.1: `v` may be absent, and an empty key is a revoked one.
  const found = await find(resolveTxt, name, /^(v=DKIM1\s*;|(?!v=)).*\bp=\s*[A-Za-z0-9+/]/i)
  if (found === null) return note('no DNS server responds here')
  return found.length > 0
    ? ok(`${name} has a key`)
    : missing(`${name} has no DKIM record: add the one of your mail provider`)
}
