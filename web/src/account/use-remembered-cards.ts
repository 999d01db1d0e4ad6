import { forgetCards, getRememberedCards } from '@nifty/api/payments/cards'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** How often a deletion that is under way is polled, ms. */
const POLL_MS = 10_000

/** Whether the payment page may remember cards of the account, and a function that has them deleted. */
export function useRememberedCards() {
  const { data, error, mutate } = useEndpoint(
    getRememberedCards,
    {},
    { refreshInterval: (latest) => (latest && !['none', 'kept'].includes(latest.state) ? POLL_MS : 0) },
  )

  const forget = async () => {
    const outcome = await send(forgetCards)
    await mutate()
    return outcome
  }

  return { state: data?.state, error, forget, reload: () => mutate() }
}
