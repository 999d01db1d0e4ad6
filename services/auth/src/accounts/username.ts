import { looksLikeStore } from '@nifty/api/names'
import { USERNAME_CHARACTERS } from '@nifty/api/usernames'
import { invalid } from '@nifty/service-kit/base/errors'

const CHARSET = /^@[A-Za-z0-9_.-]{1,30}$/
const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/** Names that could be mistaken for the platform or for one of its paths. */
const reserved = new Set(
  `about abuse account accounts admin administrator administrators api app artist auth billing bot cancel contact
  cookiepolicy creator creators custody dashboard delivery dev error everyone explore finance goodbye guest help
  helpdesk home host info legal login logout mail marketplace me metamask mint minting mod moderator nft
  noreply no-reply null official operator ops owner password pay payment payments payout polygon
  postmaster press privacy root sales security settings shop signup staff status store subscribe superuser support
  sys system team terms test treasury undefined unknown uploads user username users verify wallet webhook webmaster
  www`.split(/\s+/),
)

/**
 * The username as it is stored, with its "@". Throws 400: `invalid_username` for other characters than a username may
 * have, `username_unavailable` for a name that could be mistaken for the store's own.
 */
export function parseUsername(sent: string, storeName: string): string {
  const username = sent.startsWith('@') ? sent : `@${sent}`
  if (!CHARSET.test(username) || !LETTER_OR_DIGIT.test(username)) throw invalidUsername()
  if (reservedSkeletons.has(skeletonOf(username)) || looksLikeStore(username, storeName)) throw usernameUnavailable()
  return username
}

/**
 * Equal for usernames that look alike (as the skeletons of UTS 39): without dots, dashes and underscores, 0 as o, 1 and
 * l as i. Migration 017 computes the same in SQL.
 */
export const skeletonOf = (username: string) =>
  username
    .toLowerCase()
    .replace(/[@._-]/g, '')
    .replaceAll('0', 'o')
    .replace(/[1l]/g, 'i')

const reservedSkeletons = new Set([...reserved].map(skeletonOf))

/** Lower case, with its "@": equal for all spellings of one username. URLs may leave the "@" out. */
export const normalizeUsername = (username: string) =>
  (username.startsWith('@') ? username : `@${username}`).toLowerCase()

const invalidUsername = () =>
  invalid('invalid_username', USERNAME_CHARACTERS, { errors: [{ msg: USERNAME_CHARACTERS, path: 'username' }] })

export const usernameUnavailable = () => {
  const msg = 'This username is not available'
  return invalid('username_unavailable', msg, { errors: [{ msg, path: 'username' }] })
}
