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

/** True for an https URL without credentials, or an empty text. `new URL` alone accepts spaces and backslashes. */
function isLink(text: string): boolean {
  if (text === '') return true
  if (text.length > MAX_LENGTH || !/^https:\/\/[^\s\\@<>"]+$/i.test(text)) return false
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && url.protocol === 'https:' && url.username === '' && url.hostname.includes('.')
}

/** The link without spaces around it; undefined when it is none. */
export function parseLink(value: unknown): string | undefined {
  const link = typeof value === 'string' ? value.trim() : undefined
  return link !== undefined && isLink(link) ? link : undefined
}

/** All links of a profile. Links that the current rules refuse are left out. */
export const showLinks = (links: Partial<Links>): Links =>
  Object.fromEntries(linkNames.map((name) => [name, parseLink(links[name]) ?? ''])) as Links
