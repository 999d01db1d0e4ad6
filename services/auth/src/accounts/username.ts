import { invalid } from '@nifty/service-kit/base/errors'

const CHARSET = /^@[A-Za-z0-9_.-]{1,30}$/
const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/** Names that could be mistaken for the platform or for one of its paths. */
const reserved = new Set(
  `about abuse account accounts admin administrator administrators api app artist auth billing bot cancel contact
  cookiepolicy creator creators custody dashboard delivery dev error everyone explore finance goodbye guest help
  helpdesk home host info legal login logout mail marketplace me metamask mint minting mod moderator nft nifty
  niftystore noreply no-reply null official operator ops owner password pay payment payments payout polygon
  postmaster press privacy root sales security settings shop signup staff status store subscribe superuser support
  sys system team terms test treasury undefined unknown uploads user username users verify wallet webhook webmaster
  www`.split(/\s+/),
)

/** The username as it is stored, with its "@", or null when it is invalid or reserved. */
export function parseUsername(sent: string): string | null {
  const username = sent.startsWith('@') ? sent : `@${sent}`
  if (!CHARSET.test(username) || !LETTER_OR_DIGIT.test(username)) return null
  return reserved.has(username.slice(1).toLowerCase()) ? null : username
}

/** Lower case, with its "@": equal for all spellings of one username. URLs may leave the "@" out. */
export const normalizeUsername = (username: string) =>
  (username.startsWith('@') ? username : `@${username}`).toLowerCase()

export const usernameUnavailable = () => {
  const msg = 'This username is not available'
  return invalid('username_unavailable', msg, { errors: [{ msg, path: 'username' }] })
}
