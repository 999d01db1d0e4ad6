import type { NotificationFlags } from '@nifty/api/auth'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { Generated, Selectable, UpdateObject } from 'kysely'
import type { Links } from './accounts/links.ts'

export type AccountTable = {
  id: string
  username: string | null
  usernameKey: string
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
  wallet: string | null
  walletKey: string | null
  walletProven: Generated<boolean>
  admin: Generated<boolean>
  suspendedAt: Date | null
  version: Generated<number>
  createdAt: Generated<Date>
  deletedAt: Date | null
}

type SessionTable = {
  id: string
  accountId: string
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

export type OperatorActionName = 'grant_admin' | 'revoke_admin' | 'suspend' | 'reinstate' | 'confirm_email'

/** The tables of auth (migrations/). */
export type Database = MessagingTables & {
  account: AccountTable
  usernameHold: { usernameKey: string; until: Date }
  operatorAction: {
    id: Generated<string>
    accountId: string
    action: OperatorActionName
    by: string
    why: string
    at: Generated<Date>
  }
  session: SessionTable
  loginFailure: { subject: string; device: string; failures: number; failedAt: Generated<Date>; blockedUntil: Date }
  knownDevice: { accountId: string; device: string; seenAt: Generated<Date> }
  emailConfirmation: MailedTokenTable & { email: string; purpose: 'sign_up' | 'new_address' }
  passwordResetRequest: { id: Generated<string>; email: string; requestedAt: Generated<Date> }
  passwordReset: MailedTokenTable
  quotaUse: { accountId: string; action: string; at: Generated<Date> }
  walletChallenge: { accountId: string; walletKey: string; message: string; expiresAt: Date }
  avatarFile: { name: string; accountId: string; createdAt: Generated<Date> }
}

export type AccountRow = Selectable<AccountTable>

/** What actions may write. Rights are the operator's: see operators/. */
export type AccountChanges = Omit<
  UpdateObject<Database, 'account'>,
  'id' | 'usernameKey' | 'admin' | 'suspendedAt' | 'version'
>
