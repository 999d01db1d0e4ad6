import { invalid } from '@nifty/service-kit/errors'

export const linkNames = [
  'twitterURL',
  'facebookURL',
  'instagramURL',
  'linkedinURL',
  'youtubeURL',
  'websiteURL',
] as const

export type Links = Record<(typeof linkNames)[number], string>

const MAX_LENGTH = 300

/** True for an http(s) URL without credentials, or an empty text. `new URL` alone accepts spaces and backslashes. */
function isLink(text: string): boolean {
  if (text === '') return true
  if (text.length > MAX_LENGTH || !/^https?:\/\/[^\s\\@<>"]+$/i.test(text)) return false
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.hostname.includes('.')
}

export function parseLink(name: string, value: unknown): string {
  if (typeof value !== 'string' || !isLink(value.trim())) {
    const msg = `${name} must be an http(s) link`
    throw invalid('invalid_link', msg, { errors: [{ msg, path: name }] })
  }
  return value.trim()
}

/** All links of a profile. Links that the current rules refuse are left out. */
export const showLinks = (links: Partial<Links>): Links =>
  Object.fromEntries(linkNames.map((name) => [name, isLink(links[name] ?? '') ? (links[name] ?? '') : ''])) as Links
