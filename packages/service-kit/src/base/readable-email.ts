import { domainToUnicode } from 'node:url'

/** An address as people write it: `user@müller.de` for the stored `user@xn--mller-kva.de`. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return `${email.slice(0, at)}${domainToUnicode(email.slice(at)) || email.slice(at)}`
}
