import { createHmac, timingSafeEqual } from 'node:crypto'
import { MailList } from '@nifty/api/notification/public'
import { pages } from '@nifty/api/pages'
import { invalid } from '@nifty/service-kit/base/errors'
import type { Keys } from '@nifty/service-kit/base/secrets'

/** `id`: of the subscription for `newsletter`, else of the account. */
export type Unsubscription = { list: MailList; id: string }

const lists: readonly string[] = MailList.anyOf.map((list) => list.const)

/** As it is stored with a mail. */
export const subjectOf = ({ list, id }: Unsubscription) => `${list}.${id}`

const signatureOf = (subject: string, key: string) =>
  createHmac('sha256', key).update(`unsubscribe ${subject}`).digest('base64url')

/** The token of a link. The same each time, so that a mail which is sent twice and an exported link stay valid. */
export const signSubject = (subject: string, [key]: Keys) => `${subject}.${signatureOf(subject, key)}`

/** Throws 400 `invalid_link`. */
export function readToken(token: string, keys: Keys): Unsubscription {
  const [, list, id, signature] = /^([a-zA-Z]+)\.([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  if (list && id && signature && lists.includes(list)) {
    const isOf = (key: string) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(`${list}.${id}`, key)))
    if (keys.some(isOf)) return { list: list as MailList, id }
  }
  throw invalid('invalid_link', 'This link is invalid or has expired.')
}

/** The page of a mail's unsubscribe link. The token is in the fragment, which browsers send to no server. */
export const unsubscribeUrl = (publicUrl: string, token: string) => `${publicUrl}${pages.unsubscribe.path}#${token}`
