import { type Static, Type } from 'typebox'
import { responses } from './problem.ts'
import { Done, Id } from './shapes.ts'

const Flag = Type.Boolean()

export type NotificationFlags = Static<typeof NotificationFlags>
export const NotificationFlags = Type.Object({
  mention: Flag,
  follow: Flag,
  shareActivity: Flag,
  message: Flag,
  salePromotion: Flag,
  companyNews: Flag,
  weeklyJobs: Flag,
  unsubscribeNews: Flag,
})

const links = {
  twitterURL: Type.String(),
  facebookURL: Type.String(),
  instagramURL: Type.String(),
  linkedinURL: Type.String(),
  youtubeURL: Type.String(),
  websiteURL: Type.String(),
}

/** `GET /api/users/profile/{username}`: what everybody may know of an account. */
export type PublicProfile = Static<typeof PublicProfile>
export const PublicProfile = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()]),
  occupation: Type.String(),
  description: Type.String(),
  ...links,
})

/** `GET /api/users/change/{id}` without its owner's token: what the lock screen shows. */
export type LockScreenProfile = Static<typeof LockScreenProfile>
export const LockScreenProfile = Type.Object({
  _id: Id,
  avatar: Type.Union([Type.String(), Type.Null()]),
  firstName: Type.String(),
  lastName: Type.String(),
})

/** `GET /api/users/change/{id}` with its owner's token: the settings form. */
export type OwnProfile = Static<typeof OwnProfile>
export const OwnProfile = Type.Object({
  ...PublicProfile.properties,
  email: Type.String(),
  /** A new address that waits for its confirmation, else null. */
  pendingEmail: Type.Union([Type.String(), Type.Null()]),
  emailConfirmed: Type.Boolean(),
  phonenum: Type.String(),
  metamaskAddress: Type.Union([Type.String(), Type.Null()]),
  /** True once a signature has proven the address. */
  walletProven: Type.Boolean(),
  admin: Type.Boolean(),
  notifications: NotificationFlags,
})

/** `GET /api/auth/user`. */
export type CurrentUser = Static<typeof CurrentUser>
export const CurrentUser = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()]),
  admin: Type.Boolean(),
  metamaskAddress: Type.Union([Type.String(), Type.Null()]),
  walletProven: Type.Boolean(),
  email: Type.String(),
  emailConfirmed: Type.Boolean(),
  notifications: NotificationFlags,
})

export type SignedIn = Static<typeof SignedIn>
export const SignedIn = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  token: Type.String(),
  userId: Id,
  username: Type.String(),
})

const text = (maxLength: number) => Type.String({ maxLength })
const password = Type.String({ minLength: 1, maxLength: 256 })
const byId = Type.Object({ id: Id })

export const currentUser = { response: responses({ 200: Type.Object({ user: CurrentUser }) }) }

export const login = {
  body: Type.Object({ email: text(254), password }),
  response: responses({ 200: SignedIn }),
}

export const lockscreenLogin = {
  body: Type.Object({ userId: Id, password }),
  response: responses({ 200: SignedIn }),
}

/** 200 with `success: false` when the username is taken: the page goes to /error, as the specification has it. */
export const signup = {
  body: Type.Object({
    firstName: text(80),
    lastName: text(80),
    username: text(300),
    email: text(300),
    password: Type.String({ maxLength: 256 }),
  }),
  response: responses({ 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) }),
}

export const logout = { response: responses({ 200: Done }) }
/** Sends the mail that confirms the account's address once more. */
export const resendConfirmation = { response: responses({ 200: Done }) }
export const verifyEmail = { body: Type.Object({ token: text(200) }), response: responses({ 200: Done }) }

export const requestPasswordReset = {
  body: Type.Object({ email: text(254) }),
  response: responses({ 200: Type.Object({ message: Type.String() }) }),
}

export const resetPassword = {
  body: Type.Object({ token: text(200), newPassword: Type.String({ maxLength: 256 }) }),
  response: responses({ 200: Type.Object({ message: Type.String() }) }),
}

export const publicProfile = {
  params: Type.Object({ username: text(300) }),
  response: responses({ 200: PublicProfile }),
}

export const profileById = {
  params: byId,
  response: responses({ 200: Type.Union([OwnProfile, LockScreenProfile]) }),
}

export const uploadAvatar = {
  params: byId,
  response: responses({ 200: Type.Object({ success: Type.Literal(true), avatar: Type.String() }) }),
}

/** `GET /uploads/avatars/{file}`: a WebP picture. */
export const avatar = { params: Type.Object({ file: text(100) }) }

export const changePassword = {
  params: byId,
  body: Type.Object({ oldPassword: password, newPassword: Type.String({ maxLength: 256 }) }),
  /** A new token comes with it, because every older session ends. */
  response: responses({ 200: SignedIn }),
}

/** The whole profile, or `{notifications}` alone; what nobody may write is ignored. */
export const changeProfile = {
  params: byId,
  body: Type.Object({}, { additionalProperties: true }),
  response: responses({ 200: Type.Object({ success: Type.Literal(true), message: Type.String(), user: OwnProfile }) }),
}

export const deleteAccount = { params: byId, response: responses({ 200: Done }) }

/** The text to sign (EIP-4361) before a wallet is linked with proof. Single use, five minutes. */
export const walletChallenge = {
  body: Type.Object({ address: text(100) }),
  response: responses({ 200: Type.Object({ message: Type.String(), expiresAt: Type.String() }) }),
}

export const connectMetamask = {
  body: Type.Object({
    userId: Type.String(),
    metamaskAddress: Type.String(),
    /** The signed challenge; without it the address is linked but unproven. */
    message: Type.Optional(Type.String({ maxLength: 2000 })),
    signature: Type.Optional(Type.String({ maxLength: 300 })),
  }),
  response: responses({ 200: Done }),
}
