import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Member, TestAuth } from './auth.ts'

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } }

/** What a test changes about a response. */
type Changes = { origin?: string; rpId?: string; verified?: boolean; counter?: number; userHandle?: string | null }

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** An authenticator in software: one passkey, ES256, without attestation. */
export function createAuthenticator({ origin }: { origin: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  let user: string | undefined

  const clientData = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: changes.origin ?? origin, crossOrigin: false }))
  function authenticatorData(
    rpId: string,
    { verified = true, counter: changed, ...changes }: Changes,
    more = Buffer.alloc(0),
  ) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(changed ?? counter)
    const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | (more.length > 0 ? HAS_CREDENTIAL : 0)
    return Buffer.concat([hash(changes.rpId ?? rpId), Buffer.from([flags]), count, more])
  }
  const credential = { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {} }

  return {
    create: ({ challenge, rp, user: owner }: Options, changes: Changes = {}) => {
      user = owner!.id
      const coordinates = [x, y].map((text) => new Uint8Array(Buffer.from(text!, 'base64url')))
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinates[0]!],
        [-3, coordinates[1]!],
      ])
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)])
      const authData = new Uint8Array(authenticatorData(rp!.id, changes, attested))
      const attestation = isoCBOR.encode(
        new Map<string, any>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const clientDataJSON = base64(clientData('webauthn.create', challenge, changes))
      return { ...credential, response: { clientDataJSON, attestationObject: base64(attestation) } }
    },
    sign: ({ challenge, rpId }: Options, changes: Changes = {}) => {
      counter++
      const data = authenticatorData(rpId!, changes)
      const client = clientData('webauthn.get', challenge, changes)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, hash(client)]))
        .sign(privateKey)
      const userHandle = changes.userHandle === undefined ? user : changes.userHandle
      const response = {
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(signature),
        userHandle,
      }
      return { ...credential, response }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

/** Registers a passkey for a member. */
export async function givenPasskey(auth: TestAuth, { token, stepUp }: Member, name = 'Phone') {
  const authenticator = createAuthenticator({ origin: auth.config.publicUrl })
  const { body } = await auth.call('POST', '/api/auth/passkeys/options', { token, stepUp })
  const response = authenticator.create(body.options)
  const added = await auth.call('POST', '/api/auth/passkeys', { body: { name, response }, token, stepUp })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return { authenticator, id: added.body._id as string }
}
