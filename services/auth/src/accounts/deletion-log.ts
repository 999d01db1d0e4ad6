import type { Log } from '@nifty/service-kit/base/logs'

/** `erasedFrom`: until then a mailed link undoes the deletion; null where the account is erased. */
export const logDeletion = (log: Log, userId: string, erasedFrom: Date | null) =>
  log.info({ userId, erasedFrom }, erasedFrom ? 'account: deletion requested' : 'account: erased')
