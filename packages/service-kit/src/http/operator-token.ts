import { createHash, createPublicKey, randomUUID } from 'node:crypto'
import { type OperatorRole, operatorRoles } from '@nifty/api/endpoint'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { accessDenied } from '../base/errors.ts'
import type { Credential } from './client.ts'

/** Lifetime of a signed request, in seconds. */
const TOKEN_LIFE_S = 60
const LEEWAY_S = 5

/** `publicKey`: SPKI PEM. */
export type Operator = { publicKey: string; roles: readonly OperatorRole[] }

/** The operator with this name; undefined for a stranger. */
export type Operators = (name: string) => Operator | undefined

/**
 * `OPERATORS`: names, roles and public keys, separated by commas: `olga:support+money=MCowBQYDK2VwAyEA…`. The key is
 * the middle line of `openssl pkey -in olga.pem -pubout`; `olga=…` has all roles. Throws for an entry that is none, and
 * for an unknown role.
 */
export function parseOperators(text: string): Operators {
  const operators = new Map<string, Operator>()
  for (const entry of text.split(',').filter(Boolean)) {
    const [, name, roles, base64] = entry.match(/^\s*([\w.@+-]{1,100})(?::([^=]*))?=([A-Za-z0-9+/]+={0,2})\s*$/) ?? []
    if (!name || operators.has(name) || !isPublicKey(base64!))
      throw new Error(`OPERATORS: "${entry}" is not a new name with an Ed25519 public key`)
    operators.set(name, {
      publicKey: pemOf(base64!),
      roles: roles === undefined ? operatorRoles : parseRoles(name, roles),
    })
  }
  return (name) => operators.get(name)
}

const parseRoles = (name: string, roles: string) =>
  roles.split('+').map((text) => {
    const role = operatorRoles.find((each) => each === text)
    if (!role) throw new Error(`OPERATORS: ${name} has the role "${text}"; roles are ${operatorRoles.join(', ')}`)
    return role
  })

const pemOf = (base64: string) => `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`

function isPublicKey(base64: string) {
  try {
    return createPublicKey(pemOf(base64)).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

/** The entry of `OPERATORS` of a private key (PKCS#8 PEM). */
export function operatorEntry(name: string, privateKey: string): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return `${name}=${spki.toString('base64')}`
}

/** Signs each request: its service, method, URL and body, for one minute and one use. */
export function operatorCredential({ name, privateKey }: { name: string; privateKey: string }): Credential {
  const sign = createSigner({ algorithm: 'EdDSA', key: privateKey, kid: name, expiresIn: TOKEN_LIFE_S * 1_000 })
  return ({ service, method, url, body }) => ({
    authorization: `Bearer ${sign({ aud: service, jti: randomUUID(), htm: method, htu: url, body: bodyDigest(body) })}`,
  })
}

/** SHA-256 of a JSON body; of the empty text when there is none. */
export const bodyDigest = (body = '') => createHash('sha256').update(body).digest('base64url')

/** Who signed a request, with which roles, and the digest of the body that was signed. */
export type SignedRequest = { operator: string; roles: readonly OperatorRole[]; body: string }

type Claims = { aud: string; jti: string; htm: string; htu: string; body: string; iat: number; exp: number }
type Request = { method: string; url: string; headers: { authorization?: string } }

/**
 * Checks signed requests to one service; throws 403. A signature counts once in this process. Within its minute it
 * could be sent again to another replica, where repeating a command changes nothing.
 */
export function createOperatorCheck(service: string, operators: Operators): (request: Request) => SignedRequest {
  const decode = createDecoder({ complete: true })
  const used = new Map<string, number>()

  return ({ method, url, headers }) => {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { name, roles, claims } = read(token)
    if (claims.htm !== method || claims.htu !== url || claims.exp - claims.iat > TOKEN_LIFE_S) throw accessDenied()
    const now = Date.now() / 1_000
    if (claims.aud !== service || claims.iat > now + LEEWAY_S) throw accessDenied()
    for (const [id, until] of used) if (until < now) used.delete(id)
    if (used.has(claims.jti)) throw accessDenied()
    used.set(claims.jti, claims.exp + LEEWAY_S)
    return { operator: name, roles, body: claims.body }
  }

  function read(token: string): { name: string; roles: readonly OperatorRole[]; claims: Claims } {
    try {
      const name = String(decode(token).header.kid)
      const operator = operators(name)
      const verify = createVerifier({
        key: operator?.publicKey ?? '',
        algorithms: ['EdDSA'],
        allowedAud: service,
        requiredClaims: ['aud', 'jti', 'iat', 'exp'],
        clockTolerance: LEEWAY_S * 1_000,
      })
      return { name, roles: operator?.roles ?? [], claims: verify(token) }
    } catch {
      throw accessDenied()
    }
  }
}
