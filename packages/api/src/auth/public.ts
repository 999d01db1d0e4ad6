import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, File, Id, IsoDate, WalletSignature } from '../shapes.ts'
import {
  CurrentUser,
  LockScreenProfile,
  LoggedIn,
  OwnProfile,
  ProfileChange,
  PublicProfile,
  SignedIn,
} from './account.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const password = Type.String({ minLength: 1, maxLength: 256 })
const byId = Type.Object({ id: Id })

export const getCurrentUser = endpoint({
  summary: 'Returns the account of the token',
  method: 'GET',
  path: '/api/auth/user',
  access: 'account',
  response: Type.Object({ user: CurrentUser }),
})

export const listOwnSecurityEvents = endpoint({
  summary: "Lists the caller's newest 50 security events",
  description: 'Newest first: log-ins, also refused ones, and changes of the account.',
  method: 'GET',
  path: '/api/auth/security-events',
  access: 'account',
  stepUp: 'always',
  response: Type.Object({
    events: Type.Array(
      Type.Object({
        at: IsoDate,
        kind: Type.String(),
        /** `ok`, or the error code of the response. */
        outcome: Type.String(),
        /** IP address of the client; empty for a change by an operator. */
        address: Type.String(),
        thisSession: Type.Boolean(),
        /**
         * Equal events within a minute; for the newest of one kind's refused attempts without a session all of them.
         */
        count: Type.Integer(),
      }),
    ),
  }),
})

const loggingIn = { method: 'POST', access: 'public', limit: limits.login, response: LoggedIn } as const

export const login = endpoint({
  summary: 'Logs in with e-mail address and password',
  description: 'With a second factor the response has a challenge in place of the token.',
  ...loggingIn,
  path: '/api/auth/login',
  body: Type.Object({ email: text(254), password }),
})

export const lockscreenLogin = endpoint({
  summary: 'Logs in again on the lock screen',
  ...loggingIn,
  path: '/api/auth/lockscreen-login',
  body: Type.Object({ userId: Id, password }),
})

export const signup = endpoint({
  summary: 'Makes an account',
  description: 'A username that is taken, reserved or wrong is a 400 with `errors`; `success` is false there, too.',
  method: 'POST',
  path: '/api/auth/signup',
  access: 'public',
  limit: limits.signup,
  body: Type.Object({
    firstName: text(80),
    lastName: text(80),
    username: text(300),
    email: text(300),
    password: Type.String({ maxLength: 256 }),
  }),
  response: Type.Object({ success: Type.Boolean(), message: Type.String() }),
})

export const logout = endpoint({
  summary: 'Ends the session of the token',
  method: 'POST',
  path: '/api/auth/logout',
  access: 'account',
  response: Done,
})

export const resendConfirmation = endpoint({
  summary: 'Sends the confirmation mail again',
  method: 'POST',
  path: '/api/auth/resend-confirmation',
  access: 'account',
  response: Done,
})

export const verifyEmail = endpoint({
  summary: 'Confirms an e-mail address with the token of its mail',
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200) }),
  response: Done,
})

export const requestPasswordReset = endpoint({
  summary: 'Mails a link that resets the password',
  method: 'POST',
  path: '/api/password-reset/request',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ email: text(254) }),
  response: Type.Object({ message: Type.String() }),
})

export const resetPassword = endpoint({
  summary: 'Sets a new password with the token of a mail',
  method: 'POST',
  path: '/api/password-reset/reset',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200), newPassword: Type.String({ maxLength: 256 }) }),
  response: Type.Object({ message: Type.String() }),
})

export const getPublicProfile = endpoint({
  summary: 'Returns the public profile of a username',
  method: 'GET',
  path: '/api/users/profile/:username',
  access: 'public',
  limit: limits.profile,
  params: Type.Object({ username: Type.String({ minLength: 1, maxLength: 300 }) }),
  kept: true,
  response: PublicProfile,
})

export const getProfile = endpoint({
  summary: 'Returns a profile by the id of its account',
  description: 'The whole one for its owner; for others what the lock screen shows.',
  method: 'GET',
  path: '/api/users/change/:id',
  access: 'optional',
  limit: limits.lockScreen,
  params: byId,
  response: Type.Union([OwnProfile, LockScreenProfile]),
})

export const uploadAvatar = endpoint({
  summary: 'Stores the picture of the own profile',
  method: 'PUT',
  path: '/api/users/:id/upload-avatar',
  access: 'account',
  consumes: 'multipart/form-data',
  documented: { body: Type.Object({ avatar: File }) },
  params: byId,
  response: Type.Object({ success: Type.Literal(true), avatar: Type.String() }),
})

export const getAvatar = endpoint({
  summary: 'The picture of a profile',
  description: 'WebP.',
  method: 'GET',
  path: '/uploads/avatars/:file',
  access: 'public',
  limit: limits.images,
  params: Type.Object({ file: text(100) }),
  produces: ['image/webp'],
})

export const changePassword = endpoint({
  summary: 'Changes the password',
  description:
    'Needs a step-up where the account has a second factor: the old password alone does not stand for it. The ' +
    'response has a new token, because every older session ends.',
  method: 'PUT',
  path: '/api/users/:id/change-password',
  access: 'account',
  stepUp: 'sometimes',
  params: byId,
  body: Type.Object({ oldPassword: password, newPassword: Type.String({ maxLength: 256 }) }),
  /** A new token comes with it, because every older session ends. */
  response: SignedIn,
})

export const freezeAccount = endpoint({
  summary: 'Freezes an account with the token of a mail about a change',
  description:
    'Sessions end, log-ins are refused with `account_frozen`, and nothing is listed, bought, withdrawn or ' +
    'changed, until the owner resets the password through the address of that mail. A bid that leads an auction ' +
    'stays: `bidLeads`.',
  method: 'POST',
  path: '/api/auth/freeze',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200) }),
  response: Type.Object({ ...Done.properties, bidLeads: Type.Boolean() }),
})

export const changeProfile = endpoint({
  summary: 'Changes the own profile',
  description:
    'The whole profile, or `{notifications}` alone; read-only fields are ignored. Another `email` needs a ' +
    'step-up.',
  method: 'PUT',
  path: '/api/users/:id',
  access: 'account',
  stepUp: 'sometimes',
  params: byId,
  body: Type.Object({}, { additionalProperties: true }),
  documented: { body: ProfileChange },
  response: Type.Object({ success: Type.Literal(true), message: Type.String(), user: OwnProfile }),
})

export const walletChallenge = endpoint({
  summary: 'Returns the text to sign before a wallet is linked',
  description: 'EIP-4361. Single use, five minutes.',
  method: 'POST',
  path: '/api/wallet/challenge',
  access: 'account',
  body: Type.Object({ address: text(100) }),
  response: Type.Object({ message: Type.String(), expiresAt: Type.String() }),
})

export const connectMetamask = endpoint({
  summary: 'Links a wallet',
  description: 'A first wallet starts no waiting time.',
  method: 'POST',
  path: '/api/wallet/connect-metamask',
  access: 'account',
  stepUp: 'always',
  body: Type.Object({
    userId: Type.String(),
    metamaskAddress: Type.String(),
    /** The signed challenge; without it the address is linked but unproven. */
    message: Type.Optional(Type.String({ maxLength: 2000 })),
    signature: Type.Optional(WalletSignature),
  }),
  response: Done,
})
