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
  method: 'GET',
  path: '/api/auth/user',
  access: 'account',
  response: Type.Object({ user: CurrentUser }),
})

/** The caller's newest 50 security events, newest first: log-ins, also refused ones, and changes of the account. */
export const listOwnSecurityEvents = endpoint({
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
  ...loggingIn,
  path: '/api/auth/login',
  body: Type.Object({ email: text(254), password }),
})

export const lockscreenLogin = endpoint({
  ...loggingIn,
  path: '/api/auth/lockscreen-login',
  body: Type.Object({ userId: Id, password }),
})

/**
 * A username that is taken, reserved or wrong is a 400 with `errors`; the specification also has `success: false`.
 */
export const signup = endpoint({
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

export const logout = endpoint({ method: 'POST', path: '/api/auth/logout', access: 'account', response: Done })

/** Sends the confirmation mail again. */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/auth/resend-confirmation',
  access: 'account',
  response: Done,
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200) }),
  response: Done,
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/password-reset/request',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ email: text(254) }),
  response: Type.Object({ message: Type.String() }),
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/password-reset/reset',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200), newPassword: Type.String({ maxLength: 256 }) }),
  response: Type.Object({ message: Type.String() }),
})

export const getPublicProfile = endpoint({
  method: 'GET',
  path: '/api/users/profile/:username',
  access: 'public',
  limit: limits.profile,
  params: Type.Object({ username: Type.String({ minLength: 1, maxLength: 300 }) }),
  response: PublicProfile,
})

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/users/change/:id',
  access: 'optional',
  limit: limits.lockScreen,
  params: byId,
  response: Type.Union([OwnProfile, LockScreenProfile]),
})

export const uploadAvatar = endpoint({
  method: 'PUT',
  path: '/api/users/:id/upload-avatar',
  access: 'account',
  consumes: 'multipart/form-data',
  documented: { body: Type.Object({ avatar: File }) },
  params: byId,
  response: Type.Object({ success: Type.Literal(true), avatar: Type.String() }),
})

/** `GET /uploads/avatars/{file}`: a WebP picture. */
export const getAvatar = endpoint({
  method: 'GET',
  path: '/uploads/avatars/:file',
  access: 'public',
  limit: limits.images,
  params: Type.Object({ file: text(100) }),
  produces: ['image/webp'],
})

/** Needs a step-up where the account has a second factor: the old password alone does not stand for it. */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/users/:id/change-password',
  access: 'account',
  stepUp: 'sometimes',
  params: byId,
  body: Type.Object({ oldPassword: password, newPassword: Type.String({ maxLength: 256 }) }),
  /** A new token comes with it, because every older session ends. */
  response: SignedIn,
})

/**
 * Freezes the account with the token of a mail about a change: sessions end, log-ins are refused with `account_frozen`,
 * and nothing is listed, bought, withdrawn or changed, until the owner resets the password through the address of that
 * mail.
 */
export const freezeAccount = endpoint({
  method: 'POST',
  path: '/api/auth/freeze',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: text(200) }),
  response: Done,
})

/** The whole profile, or `{notifications}` alone; read-only fields are ignored. Another `email` needs a step-up. */
export const changeProfile = endpoint({
  method: 'PUT',
  path: '/api/users/:id',
  access: 'account',
  stepUp: 'sometimes',
  params: byId,
  body: Type.Object({}, { additionalProperties: true }),
  documented: { body: ProfileChange },
  response: Type.Object({ success: Type.Literal(true), message: Type.String(), user: OwnProfile }),
})

/** The text to sign (EIP-4361) before a wallet is linked with proof. Single use, five minutes. */
export const walletChallenge = endpoint({
  method: 'POST',
  path: '/api/wallet/challenge',
  access: 'account',
  body: Type.Object({ address: text(100) }),
  response: Type.Object({ message: Type.String(), expiresAt: Type.String() }),
})

/** A first wallet starts no waiting time. */
export const connectMetamask = endpoint({
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
