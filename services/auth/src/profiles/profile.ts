import { NotificationFlags } from '@nifty/api/auth/account'
import { nameProblem } from '@nifty/api/names'
import { invalid } from '@nifty/service-kit/errors'
import { invalidEmail, parseEmail } from '../accounts/email-address.ts'
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
 * The fields of a profile that its owner may change. The page sends the whole profile, so other fields (admin, username,
 * metamaskAddress …) are ignored without an error.
 */
export function parseProfileChange(body: Record<string, unknown>): ProfileChange {
  const change: ProfileChange = { texts: {}, links: {}, notifications: {}, email: undefined }
  for (const name of textNames) if (Object.hasOwn(body, name)) change.texts[name] = parseText(name, body[name])
  for (const name of linkNames) if (Object.hasOwn(body, name)) change.links[name] = parseLink(name, body[name])
  if (Object.hasOwn(body, 'notifications')) change.notifications = parseFlags(body.notifications)
  if (Object.hasOwn(body, 'email')) {
    const email = typeof body.email === 'string' ? parseEmail(body.email) : null
    if (!email) throw invalidEmail()
    change.email = email
  }
  return change
}

/** True if it changes fields that other services keep copies of. */
export const hasFields = ({ texts, links, notifications }: ProfileChange) =>
  [texts, links, notifications].some((group) => Object.keys(group).length > 0)

function parseText(name: keyof typeof maxLengths, value: unknown): string {
  if (typeof value !== 'string') throw wrong(name, `${name} must be text`)
  if (value.length > maxLengths[name]) throw wrong(name, `${name} may have at most ${maxLengths[name]} characters`)
  const problem = nameTexts.has(name) && nameProblem(value)
  if (problem) throw wrong(name, problem)
  return value
}

function parseFlags(value: unknown): Partial<NotificationFlags> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('notifications', 'notifications must be an object of true and false')
  const flags: Partial<NotificationFlags> = {}
  for (const name of flagNames) {
    if (!Object.hasOwn(value, name)) continue
    const flag = (value as Record<string, unknown>)[name]
    if (typeof flag !== 'boolean') throw wrong(`notifications.${name}`, `${name} must be true or false`)
    flags[name] = flag
  }
  return flags
}

const wrong = (path: string, msg: string) => invalid('invalid_profile', msg, { errors: [{ msg, path }] })
