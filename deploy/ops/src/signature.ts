import { hostname, userInfo } from 'node:os'

/** Who acts and reason: kept by the service beside what was done. */
export type Signature = { operator: string; reason: string }

/**
 * Who runs this, where nobody said it: the name that this machine has for its user. In a pod the user is a number
 * without a name, and the pod's own name says more.
 */
export function whoIsHere(nameOf: () => string = () => userInfo().username): string {
  try {
    return nameOf()
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} on ${hostname()}`
  }
}
