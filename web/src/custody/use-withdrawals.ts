import { getNft } from '@nifty/api/catalog/public'
import { createWithdrawal, listWithdrawals, type Withdrawal } from '@nifty/api/minting/public'
import type { Order } from '@nifty/api/payments/public'
import { send } from '../api/api.ts'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { isOnAuction } from '../auctions/auction-state.ts'

type Token = { contract: string; identifier: string }

type Owned = Token & { ownerUsername: string | null }

/** Whether catalog sells the work, at its price or by an auction. */
async function isOnSale({ ownerUsername, contract, identifier }: Owned) {
  const item = await send(getNft, { params: { username: ownerUsername ?? 'unknown', contract, identifier } })
  return item.ok && (item.data.forSale || isOnAuction(item.data))
}

const isFinal = ({ state }: Withdrawal) => state === 'final' || state === 'failed'

/** The user's withdrawals from custody, polled while one is under way. */
export function useWithdrawals() {
  const { token } = useSession()
  const { data, mutate } = useEndpoint(listWithdrawals, token ? {} : null, {
    refreshInterval: (list) => ((list?.withdrawals ?? []).every(isFinal) ? 0 : 2_000),
  })
  const withdraw = async (token: Owned) => {
    const { contract, identifier } = token
    const create = () => send(createWithdrawal, { body: { contract, identifier } })
    let outcome = await create()
    // minting consumes catalog's delisting event a moment later, and refuses with `listed` until then.
    for (let attempt = 0; attempt < 15 && !outcome.ok && outcome.error.code === 'listed'; attempt++) {
      if (await isOnSale(token)) break
      await new Promise((resume) => setTimeout(resume, 1_000))
      outcome = await create()
    }
    await mutate()
    return outcome
  }
  return { withdrawals: data?.withdrawals ?? [], withdraw }
}

/**
 * Returns a function from a line of an order to the buyer's final withdrawal of its token out of custody, if there was
 * one since the order. Requests nothing for orders into a wallet.
 */
export function useWithdrawalOf(order: Pick<Order, 'wallet' | 'createdAt'> | undefined) {
  const { token } = useSession()
  const { data } = useEndpoint(listWithdrawals, token && order?.wallet === null ? {} : null)
  return (line: Token): Withdrawal | undefined =>
    order &&
    data?.withdrawals.find(
      ({ contract, identifier, state, createdAt }) =>
        state === 'final' &&
        contract === line.contract &&
        identifier === line.identifier &&
        Date.parse(createdAt) >= Date.parse(order.createdAt),
    )
}
