import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { IsoDate, WalletSignature } from '../shapes.ts'
import { PasskeyResponse } from './passkeys.ts'
import { SecondFactorCode } from './second-factor.ts'

const password = Type.String({ minLength: 1, maxLength: 256 })

/** How the owner of an account proves to be present, beside a valid bearer token. */
const proofs = {
  /** For accounts without a second factor. */
  password,
  /** For accounts with one. */
  passwordAndCode: Type.Object({ password, code: SecondFactorCode }),
  /** The signed text of `stepUpChallenge`. */
  wallet: Type.Object({
    message: Type.String({ maxLength: 2000 }),
    signature: WalletSignature,
  }),
  /** Made with the options of `startPasskeyStepUp`. */
  passkey: PasskeyResponse,
}

export type StepUpMethod = Static<typeof StepUpMethod>
export const StepUpMethod = Type.Enum(['password', 'passwordAndCode', 'wallet', 'passkey'])

export type StepUpProofs = { [method in StepUpMethod]: Static<(typeof proofs)[method]> }

export type StepUpProof = Static<typeof StepUpProof>
/** One property: the method, with its proof. */
export const StepUpProof = Type.Partial(Type.Object(proofs), {
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
})

export const stepUp = endpoint({
  summary: 'Returns a step-up token',
  description:
    'For requests that a bearer token alone does not open. It is valid for ten minutes and for this session only. ' +
    'The body has exactly one of the methods. 400 `wrong_password` · `wrong_code` · `invalid_signature` · ' +
    '`invalid_passkey`, 409 `second_factor_required` · `no_second_factor` · `wallet_too_new`, 429.',
  method: 'POST',
  path: '/api/auth/step-up',
  access: 'account',
  limit: limits.login,
  body: StepUpProof,
  response: Type.Object({ success: Type.Literal(true), stepUp: Type.String(), expiresAt: IsoDate }),
})

export const listStepUpMethods = endpoint({
  summary: 'Lists the authentication methods of a step-up that this account has now',
  method: 'GET',
  path: '/api/auth/step-up',
  access: 'account',
  response: Type.Object({ methods: Type.Array(StepUpMethod) }),
})

export const stepUpChallenge = endpoint({
  summary: 'Returns the text that the linked wallet signs for a step-up',
  description: 'EIP-4361. Single use, five minutes. 409 `wallet_too_new`.',
  method: 'POST',
  path: '/api/auth/step-up/challenge',
  access: 'account',
  response: Type.Object({ address: Type.String(), message: Type.String(), expiresAt: IsoDate }),
})
