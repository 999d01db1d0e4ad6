/**
 * Step-up: some requests need a token that only the present owner can get (`POST /api/auth/step-up`). It stays in the
 * memory of this page and is worth nothing without the session that it was answered for.
 */
let held: { stepUp: string; session: string } | undefined

export function keepStepUp(stepUp: string, session: string) {
  held = { stepUp, session }
}

/** The step-up token of a session, if this page has one. It may have expired. */
export const stepUpOf = (session: string | null) => (held?.session === session ? held.stepUp : undefined)

type Answer = (confirmed: boolean) => void

let show: (answer: Answer | null) => void = () => {}

/** Who shows the dialog: called with the function that takes the result, and with null once it is over. */
export const showPromptsBy = (listener: typeof show) => {
  show = listener
}

let asking: Promise<boolean> | undefined

/** Opens the dialog that asks the owner. Resolves with whether a new token is held; one dialog serves all that wait. */
export const askForStepUp = (): Promise<boolean> => {
  asking ??= new Promise<boolean>((resolve) => show(resolve)).finally(() => {
    asking = undefined
    show(null)
  })
  return asking
}
