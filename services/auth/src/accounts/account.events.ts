import {
  accountChanged,
  accountDeleted,
  deletionRequested,
  emailConfirmationRequested,
  passwordReset,
  passwordResetRequested,
  profilePartsRemoved,
  saleMailsSwitchedOff,
  securityNoticeRequested,
  securityWarningRequested,
  sellerApplicationChanged,
  signUpRepeated,
  unusualPriceNoticed,
} from '@nifty/events/auth'
import { type Keys, seal, sha256 } from '@nifty/service-kit/base/secrets'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { avatarPath, type ExistingAccount, isBlocked, isFrozenAlone } from './account.ts'

type Trx = Transaction<Database>
/** Name and address of the account's owner, for a mail. */
type Owner = Pick<ExistingAccount, 'id' | 'email' | 'firstName'>

/** Informational; decisions use the database's clock. */
const nowIso = () => new Date().toISOString()
const addressee = ({ id, email, firstName }: Owner) => ({ userId: id, email, firstName, at: nowIso() })

/** Publishes the whole account with its version; other services keep copies. */
export async function publishAccount(trx: Trx, account: ExistingAccount) {
  const { id, username, firstName, lastName, email, avatar, description, admin, notifications, version } = account
  const [wallet, walletProven, suspended] = [account.wallet, account.walletProven, isBlocked(account)]
  const names = { username, firstName, lastName, email, avatar: avatarPath(avatar), description }
  const frozen = isFrozenAlone(account) && { frozen: true as const }
  const rights = { admin, suspended, ...frozen, wallet, walletProven }
  await publishEvent(trx, accountChanged, { userId: id, version, ...names, ...rights, notifications, at: nowIso() })
}

/** `handBack.code` is the plain code that hands back works in custody, published as a hash and encrypted by `keys`. */
export const publishAccountDeleted = (
  trx: Trx,
  account: Owner & { username: string },
  handBack?: { code: string; keys: Keys },
) =>
  publishEvent(trx, accountDeleted, {
    ...addressee(account),
    username: account.username,
    ...(handBack && { handBack: { code: seal(handBack.code, handBack.keys), codeHash: sha256(handBack.code) } }),
  })

/** `link.token` is the plain token of the link that undoes it, published encrypted with `link.keys`. */
export const publishDeletionRequested = (trx: Trx, owner: Owner, link?: { token: string; keys: Keys }) =>
  publishEvent(trx, deletionRequested, {
    ...addressee(owner),
    freezeToken: link ? seal(link.token, link.keys) : null,
  })

export const publishSignUpRepeated = (trx: Trx, owner: Owner) => publishEvent(trx, signUpRepeated, addressee(owner))

/** Notices that are no change; each has an event without a new value. */
type Warning =
  | { what: 'sale_mails_off' | 'wrong_code' | 'data_exported' }
  | { what: 'gift_given' | 'gift_corrected'; work: string }
type UnusualPrice = Pick<Static<typeof unusualPriceNoticed.data>, 'name' | 'priceCents' | 'formerCents'>
export type Notice =
  | Pick<Static<typeof securityNoticeRequested.data>, 'what' | 'to' | 'work'>
  | Warning
  | ({ what: 'unusual_price' } & UnusualPrice)

/** `token` is the plain token of the link that freezes the account, published encrypted with `keys`. */
export const publishSecurityNotice = (
  trx: Trx,
  owner: Owner,
  notice: Notice,
  { token, keys }: { token: string; keys: Keys },
) => {
  const mail = { ...addressee(owner), freezeToken: seal(token, keys) }
  if (notice.what === 'sale_mails_off') return publishEvent(trx, saleMailsSwitchedOff, mail)
  if ('to' in notice) return publishEvent(trx, securityNoticeRequested, { ...mail, ...notice })
  if (notice.what !== 'unusual_price') return publishEvent(trx, securityWarningRequested, { ...mail, ...notice })
  const { name, priceCents, formerCents } = notice
  return publishEvent(trx, unusualPriceNoticed, { ...mail, name, priceCents, formerCents })
}

export const publishPasswordReset = (trx: Trx, { id }: Owner) =>
  publishEvent(trx, passwordReset, { userId: id, at: nowIso() })

/**
 * `token` is the plain token of the link: stored as a hash, and published encrypted with `keys`. The mail leaves within
 * `hours` or not at all.
 */
export const publishResetRequest = (
  trx: Trx,
  owner: Owner,
  { token, keys, hours }: { token: string; keys: Keys; hours: number },
) => {
  const sendBefore = new Date(Date.now() + hours * 3_600_000).toISOString()
  return publishEvent(trx, passwordResetRequested, { ...addressee(owner), token: seal(token, keys), sendBefore })
}

/** `owner.email` is the address to confirm, `token` the plain token of the link, published encrypted with `keys`. */
export const publishConfirmation = (
  trx: Trx,
  owner: Owner,
  { token, keys, purpose }: { token: string; keys: Keys; purpose: 'sign_up' | 'new_address' },
) => publishEvent(trx, emailConfirmationRequested, { ...addressee(owner), token: seal(token, keys), purpose })

export const publishProfilePartsRemoved = (
  trx: Trx,
  { id, email }: Owner,
  removal: { parts: string[]; reason: string },
) => publishEvent(trx, profilePartsRemoved, { userId: id, email, ...removal, at: nowIso() })

type Application = Pick<
  Static<typeof sellerApplicationChanged.data>,
  'applicationId' | 'state' | 'answer' | 'links' | 'message'
>

export const publishApplication = (trx: Trx, account: Owner & { username: string }, application: Application) =>
  publishEvent(trx, sellerApplicationChanged, {
    ...addressee(account),
    username: account.username,
    ...application,
  })
