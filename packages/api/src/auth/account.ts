import { type Static, Type } from 'typebox'
import { EmailAddress, Id, Nullable } from '../shapes.ts'

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
const Link = Type.String({ maxLength: 400, pattern: '^\\s*$|^\\s*[hH][tT][tT][pP][sS]://' })

/** What the settings form may change; every other field of a profile is ignored. */
export const ProfileChange = Type.Partial(
  Type.Object({
    firstName: Type.String({ maxLength: 80 }),
    lastName: Type.String({ maxLength: 80 }),
    occupation: Type.String({ maxLength: 80 }),
    description: Type.String({ maxLength: 2000 }),
    phonenum: Type.String({ maxLength: 40 }),
    email: EmailAddress,
    twitterURL: Link,
    facebookURL: Link,
    instagramURL: Link,
    linkedinURL: Link,
    youtubeURL: Link,
    websiteURL: Link,
    notifications: Type.Partial(NotificationFlags),
  }),
)

/** Fields of an account that anyone may read. */
export type PublicProfile = Static<typeof PublicProfile>
export const PublicProfile = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  /** Of a seller who took another name in the last 90 days. */
  formerName: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  /** Path of the image at the head of the profile, in its largest width; `?w=` names a smaller one. */
  cover: Nullable(Type.String()),
  occupation: Type.String(),
  description: Type.String(),
  ...links,
})

/** Fields of an account for the lock screen, whose token may have expired. */
export type LockScreenProfile = Static<typeof LockScreenProfile>
export const LockScreenProfile = Type.Object({
  _id: Id,
  avatar: Nullable(Type.String()),
  firstName: Type.String(),
  lastName: Type.String(),
})

/** Fields of the settings form, for the owner. */
export type OwnProfile = Static<typeof OwnProfile>
export const OwnProfile = Type.Object({
  ...PublicProfile.properties,
  email: Type.String(),
  /** A new address that is not confirmed yet, else null. */
  pendingEmail: Nullable(Type.String()),
  emailConfirmed: Type.Boolean(),
  phonenum: Type.String(),
  metamaskAddress: Nullable(Type.String()),
  /** True once a signature has proven the address. */
  walletProven: Type.Boolean(),
  admin: Type.Boolean(),
  notifications: NotificationFlags,
})

export type CurrentUser = Static<typeof CurrentUser>
export const CurrentUser = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Nullable(Type.String()),
  admin: Type.Boolean(),
  metamaskAddress: Nullable(Type.String()),
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
  /** A step-up token: the owner has just proven to be present. */
  stepUp: Type.String(),
})

/** The password was right, and the account has a second factor: `loginWithSecondFactor` takes the challenge. */
export type SecondFactorRequired = Static<typeof SecondFactorRequired>
export const SecondFactorRequired = Type.Object({
  success: Type.Literal(false),
  code: Type.Literal('second_factor_required'),
  message: Type.String(),
  challenge: Type.String(),
})

/** An account with a second factor gets a challenge instead of a token. */
export const LoggedIn = Type.Union([SignedIn, SecondFactorRequired])
