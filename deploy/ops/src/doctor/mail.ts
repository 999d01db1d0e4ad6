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

/** The first text of a name that begins so; undefined without one, null where no DNS server responds. */
async function find(resolveTxt: ResolveTxt, name: string, begin: string): Promise<string | undefined | null> {
  try {
    return (await resolveTxt(name)).map((parts) => parts.join('')).find((text) => text.startsWith(begin))
  } catch (error) {
    return isAbsent(error) ? undefined : null
  }
}

export async function checkSpf(domain: string, resolveTxt: ResolveTxt): Promise<Outcome> {
  const found = await find(resolveTxt, domain, 'v=spf1')
  if (found === null) return note('no DNS server responds here')
  return found ? ok(`${domain}: ${found}`) : missing(`${domain} has no SPF record: add the one of your mail provider`)
}

export async function checkDkim(
  domain: string,
  selector: string | undefined,
  resolveTxt: ResolveTxt,
): Promise<Outcome> {
  if (!selector)
    return note('DKIM_SELECTOR is not set: name the selector of your mail provider, and its record is read')
  const name = `${selector}._domainkey.${domain}`
  const found = await find(resolveTxt, name, 'v=DKIM1')
  if (found === null) return note('no DNS server responds here')
  return found ? ok(`${name} has a key`) : missing(`${name} has no DKIM record: add the one of your mail provider`)
}
