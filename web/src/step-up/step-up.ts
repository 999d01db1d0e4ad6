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

type Prompt = { answer: (confirmed: boolean) => void }

let prompt: Prompt | null = null
const listeners = new Set<() => void>()

function change(next: Prompt | null) {
  prompt = next
  for (const listener of listeners) listener()
}

let asking: Promise<boolean> | undefined

/** Opens the dialog that asks the owner. Resolves with whether a new token is held; one dialog serves all that wait. */
export function askForStepUp(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => change({ answer: resolve })).finally(() => {
    asking = undefined
    change(null)
  })
  return asking
}

export const openPrompt = () => prompt

export const subscribeToPrompt = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
