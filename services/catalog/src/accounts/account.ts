import { forbidden } from '@nifty/service-kit/base/errors'
import type { Account } from '../db.ts'

/** The admin flag means: may sell. A suspended, deleted or unknown account may not. */
export const maySell = (account: Pick<Account, 'admin' | 'suspended' | 'deletedAt'> | undefined) =>
  account?.admin && !account.suspended && account.deletedAt === null

export function requireSeller(account: Account | undefined) {
  if (!maySell(account)) throw forbidden('not_a_seller', 'To gain access to selling your NFTs, please contact us.')
}
