import type { NotificationFlags } from '@nifty/api/auth'
import type { AccountRow } from '../db.ts'

/** What the house tells of by itself is on; advertising is asked for (GDPR). */
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

/** An account that is not deleted: the database sees to it that these are there. */
export type LivingAccount = AccountRow & { username: string; email: string; emailKey: string; passwordHash: string }

export const isLiving = (account: AccountRow | undefined): account is LivingAccount =>
  account !== undefined && account.deletedAt === null

export const mayLogIn = (account: LivingAccount, { confirmEmailBeforeLogin }: { confirmEmailBeforeLogin: boolean }) =>
  account.suspendedAt === null && (account.emailConfirmedAt !== null || !confirmEmailBeforeLogin)

/** Where sign-up must not tell which addresses are known, a page appears with the confirmation and not before. */
export const hasPublicProfile = mayLogIn

export const avatarPath = (file: string | null) => (file === null ? null : `/uploads/avatars/${file}`)

/** What is left of an account once it is deleted. */
export const tombstone = {
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
  wallet: null,
  walletKey: null,
  walletProven: false,
}
