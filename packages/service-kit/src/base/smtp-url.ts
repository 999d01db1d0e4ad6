/** This machine, or a name of the own network, such as the mailbox of a composed store. */
const isLocal = (hostname: string) =>
  hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /^[^.:[\]]+$/.test(hostname)

/**
 * `SMTP_URL` as nodemailer takes it. Outside local hosts nothing is sent without TLS: a server that
 * offers no STARTTLS gets no mail, because mails have tokens. Options of nodemailer in the address cannot change that.
 */
export function withTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  if (isLocal(url.hostname)) return smtpUrl
  url.searchParams.set('requireTLS', 'true')
  return url.href
}
