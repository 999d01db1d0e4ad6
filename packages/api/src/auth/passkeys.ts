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
  summary: "Lists the caller's passkeys",
  method: 'GET',
  path: '/api/auth/passkeys',
  access: 'account',
  response: Type.Object({ passkeys: Type.Array(Passkey) }),
})

export const startPasskey = endpoint({
  summary: 'Returns the options for a new passkey',
  description: '409 `too_many_passkeys`.',
  method: 'POST',
  path: '/api/auth/passkeys/options',
  access: 'account',
  stepUp: 'always',
  response: Options,
})

export const createPasskey = endpoint({
  summary: 'Stores a passkey that was made with the options',
  description: '400 `invalid_passkey`, 409 `passkey_exists` · `too_many_passkeys`.',
  method: 'POST',
  path: '/api/auth/passkeys',
  access: 'account',
  stepUp: 'always',
  body: Type.Object({ ...Name.properties, response: NewPasskeyResponse }),
  response: Passkey,
})

export const renamePasskey = endpoint({
  summary: 'Renames a passkey',
  description: '404 `passkey_not_found`.',
  method: 'PUT',
  path: '/api/auth/passkeys/:id',
  access: 'account',
  stepUp: 'always',
  params: byId,
  body: Name,
  response: Passkey,
})

export const removePasskey = endpoint({
  summary: 'Removes a passkey',
  description: '404 `passkey_not_found`.',
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  access: 'account',
  stepUp: 'always',
  params: byId,
  response: Done,
})

export const startPasskeyLogin = endpoint({
  summary: 'Returns the options for a log-in with a passkey',
  method: 'POST',
  path: '/api/auth/login/passkey/options',
  access: 'public',
  limit: limits.login,
  response: Options,
})

export const loginWithPasskey = endpoint({
  summary: 'Logs in without password and code',
  description: '400 `invalid_passkey`, 403 `account_frozen`.',
  method: 'POST',
  path: '/api/auth/login/passkey',
  access: 'public',
  limit: limits.login,
  body: Type.Object({ response: PasskeyResponse }),
  response: SignedIn,
})

export const startPasskeyStepUp = endpoint({
  summary: 'Returns the options for the method `passkey` of a step-up',
  description: '409 `no_passkey`.',
  method: 'POST',
  path: '/api/auth/step-up/passkey',
  access: 'account',
  response: Options,
})
