import { type Static, Type } from 'typebox'

/** How the owner of an account proves to be present, beside a valid bearer token. */
const proofs = {
  password: Type.String({ minLength: 1, maxLength: 256 }),
  /** The signed text of `stepUpChallenge`. */
  wallet: Type.Object({
    message: Type.String({ maxLength: 2000 }),
    signature: Type.String({ maxLength: 300 }),
  }),
}

export type StepUpMeans = Static<typeof StepUpMeans>
export const StepUpMeans = Type.Enum(['password', 'wallet'])

export type StepUpProofs = { [means in StepUpMeans]: Static<(typeof proofs)[means]> }

export type StepUpProof = Static<typeof StepUpProof>
/** One property: the means, with its proof. */
export const StepUpProof = Type.Partial(Type.Object(proofs), {
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
})
