/** Passkeys (WebAuthn level 3). Options and responses are those of its JSON serialisation. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, Id, IsoDate, Nullable } from '../shapes.ts'
import { SignedIn } from './account.ts'

const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[\\w-]+$' })
const credential = {
  id: Base64Url(1_400),
  rawId: Base64Url(1_400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
}

/** What `navigator.credentials.create` resolves with. */
export type NewPasskeyResponse = Static<typeof NewPasskeyResponse>
export const NewPasskeyResponse = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: Base64Url(4_000), attestationObject: Base64Url(20_000) }),
})

/** What `navigator.credentials.get` resolves with. */
export type PasskeyResponse = Static<typeof PasskeyResponse>
export const PasskeyResponse = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: Base64Url(4_000),
    authenticatorData: Base64Url(4_000),
    signature: Base64Url(4_000),
    userHandle: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  }),
})

/** Arguments of the browser's call, with a challenge for one use within five minutes. */
const Options = Type.Object({ options: Type.Object({}, { additionalProperties: true }) })

export type Passkey = Static<typeof Passkey>
export const Passkey = Type.Object({
  _id: Id,
  name: Type.String(),
  createdAt: IsoDate,
  lastUsedAt: Nullable(IsoDate),
})

const Name = Type.Object({ name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }) })
const byId = Type.Object({ id: Id })

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/auth/passkeys',
  access: 'account',
  response: Type.Object({ passkeys: Type.Array(Passkey) }),
})

/** 409 `too_many_passkeys`. */
export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/options',
  access: 'account',
  stepUp: 'always',
  response: Options,
})

/**
 * Stores a passkey that was made with the options. 400 `invalid_passkey`, 409 `passkey_exists` · `too_many_passkeys`.
 */
export const createPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys',
  access: 'account',
  stepUp: 'always',
  body: Type.Object({ ...Name.properties, response: NewPasskeyResponse }),
  response: Passkey,
})

/** 404 `passkey_not_found`. */
export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/auth/passkeys/:id',
  access: 'account',
  stepUp: 'always',
  params: byId,
  body: Name,
  response: Passkey,
})

/** 404 `passkey_not_found`. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  access: 'account',
  stepUp: 'always',
  params: byId,
  response: Done,
})

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/login/passkey/options',
  access: 'public',
  limit: limits.login,
  response: Options,
})

/** Logs in without password and code. 400 `invalid_passkey`, 403 `account_frozen`. */
export const loginWithPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/login/passkey',
  access: 'public',
  limit: limits.login,
  body: Type.Object({ response: PasskeyResponse }),
  response: SignedIn,
})

/** For the method `passkey` of a step-up. 409 `no_passkey`. */
export const startPasskeyStepUp = endpoint({
  method: 'POST',
  path: '/api/auth/step-up/passkey',
  access: 'account',
  response: Options,
})
