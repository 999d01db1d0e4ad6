import { forbidden } from '@nifty/service-kit/base/errors'
import type { Account } from '../db.ts'

/** Neither buys nor sells: suspended, which auth also publishes of a frozen one and one being deleted, or deleted. */
export const isBlocked = ({ suspended, deletedAt }: Pick<Account, 'suspended' | 'deletedAt'>) =>
  suspended || deletedAt !== null

/** The admin flag means: may sell. A blocked or unknown account may not. */
export const maySell = (account: Pick<Account, 'admin' | 'suspended' | 'deletedAt'> | undefined) =>
  account?.admin && !isBlocked(account)

export function requireSeller(account: Account | undefined) {
  if (!maySell(account)) throw forbidden('not_a_seller', 'To gain access to selling your NFTs, please contact us.')
}
