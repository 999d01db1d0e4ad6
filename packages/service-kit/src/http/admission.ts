import type { IncomingMessage } from 'node:http'

/** Lets a request wait, or refuses it with an error. */
type Admit = (done: (error?: Error) => void) => void

const admissions = new WeakMap<IncomingMessage, Admit>()

/**
 * Where gateway and service are one process: the request waits for `admit` once its body has arrived, so that a slow
 * client takes nothing from others. An upload waits before its handler reads it.
 */
export const admitBy = (request: IncomingMessage, admit: Admit) => void admissions.set(request, admit)

/** A hook `preValidation`. */
export function waitForAdmission({ raw }: { raw: IncomingMessage }, _reply: unknown, done: (error?: Error) => void) {
  const admit = admissions.get(raw)
  if (admit) admit(done)
  else done()
}
