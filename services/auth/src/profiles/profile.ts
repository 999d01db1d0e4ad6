import { NotificationFlags } from '@nifty/api/auth/account'
import { parseEmail } from '@nifty/api/email-address'
import { withLineFeeds } from '@nifty/api/line-breaks'
import { fullNameProblem, personNameProblem } from '@nifty/api/names'
import { invalid } from '@nifty/service-kit/base/errors'
import { INVALID_EMAIL } from '../accounts/email-address.ts'
import { type Links, linkNames, parseLink } from '../accounts/links.ts'

const maxLengths = { firstName: 80, lastName: 80, occupation: 80, description: 2000, phonenum: 40 }
/** Shown as one line beside other people's. */
const nameTexts = new Set<keyof typeof maxLengths>(['firstName', 'lastName', 'occupation'])
const textNames = Object.keys(maxLengths) as (keyof typeof maxLengths)[]

const flagNames = Object.keys(NotificationFlags.properties) as (keyof NotificationFlags)[]

export type ProfileChange = {
  texts: Partial<Record<keyof typeof maxLengths, string>>
  links: Partial<Links>
  notifications: Partial<NotificationFlags>
  email: string | undefined
}

/**
 * The fields of a profile that its owner may change. The page sends the whole profile, so other fields (admin,
 * username, metamaskAddress …) are ignored without an error. Throws 400 with every wrong field in `errors`.
 */
export function parseProfileChange(body: Record<string, unknown>, storeName: string): ProfileChange {
  const change: ProfileChange = { texts: {}, links: {}, notifications: {}, email: undefined }
  const errors: FieldError[] = []
  for (const name of textNames) {
    if (!Object.hasOwn(body, name)) continue
    const value = body[name]
    const text = typeof value === 'string' ? withLineFeeds(value) : value
    const msg = textProblem(name, text, storeName)
    if (msg) errors.push({ msg, path: name })
    else change.texts[name] = text as string
  }
  for (const name of linkNames) {
    if (!Object.hasOwn(body, name)) continue
    const link = parseLink(body[name])
    if (link === undefined) errors.push({ msg: 'Please enter a link that starts with https://', path: name })
    else change.links[name] = link
  }
  if (Object.hasOwn(body, 'notifications')) change.notifications = parseFlags(body.notifications, errors)
  if (Object.hasOwn(body, 'email')) {
    const email = parseEmail(body.email)
    if (email) change.email = email
    else errors.push({ msg: INVALID_EMAIL, path: 'email' })
  }
  if (errors.length > 0) throw invalid('invalid_profile', errors[0]!.msg, { errors })
  return change
}

type FieldError = { msg: string; path: string }

/** True if it changes fields that other services keep copies of. */
export const hasFields = ({ texts, links, notifications }: ProfileChange) =>
  [texts, links, notifications].some((group) => Object.keys(group).length > 0)

function textProblem(name: keyof typeof maxLengths, value: unknown, storeName: string): string | undefined {
  if (typeof value !== 'string') return `${name} must be text`
  if (value.length > maxLengths[name]) return `${name} may have at most ${maxLengths[name]} characters`
  return nameTexts.has(name) ? personNameProblem(value, storeName) : undefined
}

type Names = { firstName: string; lastName: string }

/** Throws 400 `invalid_profile` when a change of one name makes both together one that no person may have. */
export function checkFullName(account: Names, { texts }: ProfileChange, storeName: string) {
  const changed = { firstName: texts.firstName ?? account.firstName, lastName: texts.lastName ?? account.lastName }
  if (changed.firstName === account.firstName && changed.lastName === account.lastName) return
  const msg = fullNameProblem(changed, storeName)
  const path = changed.lastName === account.lastName ? 'firstName' : 'lastName'
  if (msg) throw invalid('invalid_profile', msg, { errors: [{ msg, path }] })
}

/** Adds what is wrong to `errors`. */
function parseFlags(value: unknown, errors: FieldError[]): Partial<NotificationFlags> {
  const flags: Partial<NotificationFlags> = {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    errors.push({ msg: 'notifications must be an object of true and false', path: 'notifications' })
    return flags
  }
  for (const name of flagNames) {
    if (!Object.hasOwn(value, name)) continue
    const flag = (value as Record<string, unknown>)[name]
    if (typeof flag === 'boolean') flags[name] = flag
    else errors.push({ msg: `${name} must be true or false`, path: `notifications.${name}` })
  }
  return flags
}
