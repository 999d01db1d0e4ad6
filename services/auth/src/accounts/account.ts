import { randomUUID } from 'node:crypto'
import type { NotificationFlags } from '@nifty/api/auth/account'
import { getCover } from '@nifty/api/auth/covers'
import { getAvatar } from '@nifty/api/auth/public'
import { endpointUrl } from '@nifty/api/endpoint'
import type { AccountRow } from '../db.ts'

/** Transactional notifications default to on; marketing is opt-in (GDPR). */
export const defaultNotifications: NotificationFlags = {
  mention: true,
  follow: true,
  shareActivity: true,
  message: true,
  salePromotion: false,
  companyNews: false,
  weeklyJobs: false,
  unsubscribeNews: false,
}

/** An account that is not deleted. The constraint `tombstone` guarantees these fields. */
export type ExistingAccount = AccountRow & { username: string; email: string; emailKey: string; passwordHash: string }

export const isExisting = (account: AccountRow | undefined): account is ExistingAccount =>
  account !== undefined && account.deletedAt === null

export const mayLogIn = (account: ExistingAccount, { confirmEmailBeforeLogin }: { confirmEmailBeforeLogin: boolean }) =>
  !isBlocked(account) && (account.emailConfirmedAt !== null || !confirmEmailBeforeLogin)

/** Where log-in requires a confirmed address, so does the profile: sign-up must not reveal which addresses exist. */
export const hasPublicProfile: typeof mayLogIn = (account, config) =>
  account.suspendedAt === null && mayLogIn({ ...account, ...notFrozen }, config)

export const avatarPath = (file: string | null) => (file === null ? null : endpointUrl(getAvatar, { params: { file } }))

/** Address of the widest file of a cover; the query parameter `w` names another. */
export const coverPath = (file: string | null) => (file === null ? null : endpointUrl(getCover, { params: { file } }))

/** Values of an account whose wallet is not proven, or that has none. */
const unproven = { walletProven: false, walletProvenAt: null, walletSteppedUp: false }

/** Values of an account without a wallet. */
export const noWallet = { wallet: null, walletKey: null, walletLinkedAt: null, ...unproven }

export const notFrozen = { frozenAt: null, frozenEmail: null, frozenLinkAt: null }

/**
 * In the owner's place where an address has no account, or where its owner gets no mail: the same statements and events
 * follow, so that neither the duration of a request nor the load after it reveals an address. No account has the id,
 * and notification discards mails to the empty address.
 */
export const noOwner = () => ({ id: randomUUID(), email: '', firstName: '' })

type Blocks = Pick<AccountRow, 'suspendedAt' | 'frozenAt' | 'deletionRequestedAt'>

/**
 * An account that an operator suspended, that its owner froze, or that is being deleted, neither buys nor sells. To
 * other services they are one state, but for bids that lead.
 */
export const isBlocked = ({ suspendedAt, frozenAt, deletionRequestedAt }: Blocks) =>
  suspendedAt !== null || frozenAt !== null || deletionRequestedAt !== null

/** Its owner has frozen it, and nothing else blocks it: a bid that leads an auction stays. */
export const isFrozenAlone = ({ suspendedAt, frozenAt, deletionRequestedAt }: Blocks) =>
  frozenAt !== null && suspendedAt === null && deletionRequestedAt === null

/** Days for which the profile of a seller who took another name shows the former one. */
const FORMER_NAME_DAYS = 90

type Named = Pick<AccountRow, 'firstName' | 'lastName' | 'formerName' | 'renamedAt'>

const nameOf = ({ firstName, lastName }: Pick<AccountRow, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`.trim()

/** The former name that is shown now; null where there is none. */
export const formerNameAt = ({ formerName, renamedAt }: Named, now: Date): string | null =>
  renamedAt && now.getTime() - renamedAt.getTime() < FORMER_NAME_DAYS * 24 * 60 * 60 * 1000 ? formerName : null

/**
 * What a change of a seller's name stores: the name before it, or an earlier one that is still shown, so that a second
 * change hides nothing. To take the former name again is no other name.
 */
export function renamed(
  account: Named,
  change: Partial<Pick<AccountRow, 'firstName' | 'lastName'>>,
  now: Date,
): Partial<Pick<AccountRow, 'formerName' | 'renamedAt'>> {
  const [before, after] = [nameOf(account), nameOf({ ...account, ...change })]
  if (before === after) return {}
  const formerName = formerNameAt(account, now) ?? (before || null)
  return formerName === null || formerName === after
    ? { formerName: null, renamedAt: null }
    : { formerName, renamedAt: now }
}

/** Values of a deleted account's row. */
export const tombstone = {
  formerName: null,
  renamedAt: null,
  username: null,
  email: null,
  emailKey: null,
  pendingEmail: null,
  passwordHash: null,
  firstName: '',
  lastName: '',
  occupation: '',
  description: '',
  phonenum: '',
  links: {},
  notifications: { ...defaultNotifications, unsubscribeNews: true },
  avatar: null,
  cover: null,
  ...noWallet,
  withdrawalsWaitSince: null,
  deletionRequestedAt: null,
  ...notFrozen,
}
