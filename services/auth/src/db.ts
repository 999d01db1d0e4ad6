import type { NotificationFlags } from '@nifty/api/auth/account'
import type { AuditTables } from '@nifty/service-kit/database/operator-audit'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { Generated, Selectable, UpdateObject } from 'kysely'
import type { Links } from './accounts/links.ts'

export type AccountTable = {
  id: string
  username: string | null
  usernameKey: string
  usernameSkeleton: string | null
  usernameTwin: Generated<number>
  email: string | null
  emailKey: string | null
  pendingEmail: string | null
  emailConfirmedAt: Date | null
  passwordHash: string | null
  firstName: Generated<string>
  lastName: Generated<string>
  occupation: Generated<string>
  description: Generated<string>
  phonenum: Generated<string>
  links: Generated<Partial<Links>>
  notifications: NotificationFlags
  avatar: string | null
  cover: string | null
  wallet: string | null
  walletKey: string | null
  walletProven: Generated<boolean>
  walletProvenAt: Date | null
  walletSteppedUp: Generated<boolean>
  walletLinkedAt: Date | null
  withdrawalsWaitSince: Date | null
  admin: Generated<boolean>
  suspendedAt: Date | null
  frozenAt: Date | null
  frozenEmail: string | null
  frozenLinkAt: Date | null
  deletionRequestedAt: Date | null
  version: Generated<number>
  createdAt: Generated<Date>
  deletedAt: Date | null
  formerName: string | null
  renamedAt: Date | null
}

type SessionTable = {
  id: string
  accountId: string
  browser: string
  network: string
  createdAt: Generated<Date>
  expiresAt: Date
  endedAt: Date | null
}

type MailedTokenTable = {
  tokenHash: string
  accountId: string
  createdAt: Generated<Date>
  expiresAt: Date
  usedAt: Date | null
}

type SellerApplicationTable = {
  id: Generated<string>
  accountId: string
  links: string[]
  message: string
  state: Generated<'waiting' | 'granted' | 'declined'>
  answer: Generated<string>
  createdAt: Generated<Date>
  answeredAt: Date | null
}

type ImageFileTable = { name: string; accountId: string; createdAt: Generated<Date> }

/** Tables of auth (migrations/). */
export type Database = MessagingTables &
  AuditTables & {
    account: AccountTable
    usernameReservation: { usernameKey: string; usernameSkeleton: string | null; expiresAt: Date }
    session: SessionTable
    loginFailure: {
      subject: string
      originKey: string
      failures: number
      failedAt: Generated<Date>
      blockedUntil: Date
    }
    knownOrigin: { accountId: string; originKey: string; isDevice: Generated<boolean>; seenAt: Generated<Date> }
    emailConfirmation: MailedTokenTable & { email: string; purpose: 'sign_up' | 'new_address' }
    passwordResetRequest: { id: Generated<string>; email: string; network: string; requestedAt: Generated<Date> }
    passwordReset: MailedTokenTable & { originKey: string }
    freezeLink: Omit<MailedTokenTable, 'usedAt'> & { email: string; emailConfirmed: Generated<boolean> }
    quotaUse: { accountId: string; action: string; at: Generated<Date>; originKey: Generated<string> }
    walletChallenge: {
      accountId: string
      purpose: 'link' | 'step_up'
      walletKey: string
      message: string
      expiresAt: Date
    }
    totp: {
      accountId: string
      secret: string
      createdAt: Generated<Date>
      confirmedAt: Date | null
      lastStep: Generated<number>
    }
    recoveryCode: { accountId: string; codeHash: string; createdAt: Generated<Date> }
    loginChallenge: { tokenHash: string; accountId: string; expiresAt: Date }
    custodyWork: {
      token: string
      contract: string
      identifier: string
      ownerId: string | null
      position: number
    }
    openLine: {
      lineId: string
      orderId: string
      name: string
      buyerId: string
      sellerId: string
      deliverBy: Date
      ended: Generated<boolean>
      awaitedToken: string | null
    }
    openBid: {
      orderId: string
      /** Null until the bid leads. */
      auctionId: string | null
      name: string
      bidderId: string
      sellerId: string
      latestEndAt: Date
    }
    openGift: { giftId: string; giverId: string; name: string; ended: boolean; changedAt: Generated<Date> }
    openClaim: {
      claimId: string
      giftId: string
      recipientId: string
      token: string
      /** Of the token's last move before the claim. */
      position: number
      name: string
      ended: boolean
      changedAt: Generated<Date>
    }
    passkey: {
      id: Generated<string>
      accountId: string
      credentialId: string
      publicKey: string
      counter: number
      name: string
      createdAt: Generated<Date>
      lastUsedAt: Date | null
    }
    passkeyChallenge: {
      challengeHash: string
      purpose: 'register' | 'log_in' | 'step_up'
      accountId: string | null
      expiresAt: Date
    }
    sellerApplication: SellerApplicationTable
    avatarFile: ImageFileTable
    coverFile: ImageFileTable
  }

export type AccountRow = Selectable<AccountTable>
export type SellerApplicationRow = Selectable<SellerApplicationTable>

/** Columns that actions may change. Rights change in operators/ only. */
export type AccountChanges = Omit<
  UpdateObject<Database, 'account'>,
  'id' | 'usernameKey' | 'admin' | 'suspendedAt' | 'version'
>
