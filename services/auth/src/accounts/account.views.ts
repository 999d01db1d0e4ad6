import type { CurrentUser, LockScreenProfile, OwnProfile, PublicProfile } from '@nifty/api/auth/account'
import { readableEmail } from '@nifty/service-kit/base/readable-email'
import { avatarPath, coverPath, type ExistingAccount, formerNameAt } from './account.ts'
import { showLinks } from './links.ts'

export const lockScreenProfile = ({ id, avatar, firstName, lastName }: ExistingAccount): LockScreenProfile => ({
  _id: id,
  avatar: avatarPath(avatar),
  firstName,
  lastName,
})

export const publicProfile = (account: ExistingAccount): PublicProfile => ({
  ...lockScreenProfile(account),
  username: account.username,
  formerName: formerNameAt(account, new Date()),
  cover: coverPath(account.cover),
  occupation: account.occupation,
  description: account.description,
  ...showLinks(account.links),
})

const owned = ({ email, emailConfirmedAt, wallet, walletProven, admin, notifications }: ExistingAccount) => ({
  email: readableEmail(email),
  emailConfirmed: emailConfirmedAt !== null,
  metamaskAddress: wallet,
  walletProven,
  admin,
  notifications,
})

export const ownProfile = (account: ExistingAccount): OwnProfile => ({
  ...publicProfile(account),
  ...owned(account),
  pendingEmail: account.pendingEmail && readableEmail(account.pendingEmail),
  phonenum: account.phonenum,
})

export const currentUser = (account: ExistingAccount): CurrentUser => ({
  ...lockScreenProfile(account),
  username: account.username,
  ...owned(account),
})
