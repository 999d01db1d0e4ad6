import { hostname, userInfo } from 'node:os'

/** Operator and reason of an action; the service stores both in its audit log. */
export type OperatorAction = { operator: string; reason: string }

/**
 * The default operator: the system user's name. In a pod the user is a number without a name, so the pod's host name is
 * added.
 */
export function defaultOperator(userName: () => string = () => userInfo().username): string {
  try {
    return userName()
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} on ${hostname()}`
  }
}
