import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { forbidden } from '@nifty/service-kit/base/errors'

/** How long a code waits for its exchange, and a session lasts, in milliseconds. */
const LIFE_MS = 8 * 3_600_000

type Headers = { host?: string; origin?: string; cookie?: string }

export type Guard = {
  /** Of the address that is printed; exchanged once. */
  code: string
  /** Throws 403 for a request to another host, or from a page of another origin. */
  checkOrigin: (request: { method: string; headers: Headers }) => void
  /** Throws 403 without the cookie of the session. */
  checkSession: (request: { headers: Headers }) => void
  /** The header `Set-Cookie` for the code. Throws 403 for another, a used or an expired one. */
  openSession: (code: string) => string
}

type Secret = { digest: Buffer; until: number }

const digestOf = (text: string) => createHash('sha256').update(text).digest()
const newSecret = () => randomBytes(32).toString('base64url')

/**
 * The guard of a server at `origin` on this machine. Others can reach its port, too: users of the machine have no code,
 * pages of other origins and of other host names that resolve to this machine (DNS rebinding) are refused.
 */
export function createGuard({ origin, now = Date.now }: { origin: string; now?: () => number }): Guard {
  const { host, port } = new URL(origin)
  // Cookies do not have ports: two offices on one machine each have their own.
  const cookieName = `nifty-office-${port}`
  const keep = (secret: string): Secret => ({ digest: digestOf(secret), until: now() + LIFE_MS })
  const matches = (secret: Secret | undefined, text: string) =>
    secret !== undefined && now() < secret.until && timingSafeEqual(secret.digest, digestOf(text))

  const code = newSecret()
  let unused: Secret | undefined = keep(code)
  let session: Secret | undefined

  return {
    code,

    checkOrigin({ method, headers }) {
      const isRead = method === 'GET' || method === 'HEAD'
      if (headers.host !== host) throw forbidden('other_host', 'This office is at another address.')
      // Browsers send no `Origin` with what only reads.
      if (headers.origin === undefined ? !isRead : headers.origin !== origin)
        throw forbidden('other_origin', 'Only pages of this office may send requests.')
    },

    checkSession({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
      const [, cookie = ''] = pairs.find(([name]) => name === cookieName) ?? []
      if (!matches(session, cookie))
        throw forbidden('no_session', 'The session is over. `npx pnpm ops office` prints a new address.')
    },

    openSession(given) {
      if (!matches(unused, given))
        throw forbidden('invalid_code', 'This address was used or is too old. `npx pnpm ops office` prints a new one.')
      unused = undefined
      const cookie = newSecret()
      session = keep(cookie)
      return `${cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${LIFE_MS / 1_000}`
    },
  }
}
