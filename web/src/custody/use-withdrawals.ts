import type { Withdrawal } from '@nifty/api/minting/public'
import useSWR from 'swr'
import { type ApiError, requestWithToken, send } from '../api.ts'
import { useSession } from '../session.ts'

/** A work that is not for sale. */
type Token = { contract: string; identifier: string }

const path = '/api/withdrawals'
const isOver = ({ state }: Withdrawal) => state === 'final' || state === 'failed'

/** The ways out of custody that the reader started; looked at while one is under way. */
export function useWithdrawals() {
  const { token } = useSession()
  const { data, mutate } = useSWR<{ withdrawals: Withdrawal[] }, ApiError>(token ? path : null, requestWithToken, {
    refreshInterval: (list) => ((list?.withdrawals ?? []).every(isOver) ? 0 : 2_000),
  })
  const withdraw = async ({ contract, identifier }: Token) => {
    const ask = () => send<Withdrawal>(path, { withToken: true, body: { contract, identifier } })
    let outcome = await ask()
    // Whoever keeps the work hears a moment later that it has left the market.
    for (let looks = 0; looks < 15 && !outcome.ok && outcome.error.code === 'listed'; looks++) {
      await new Promise((resume) => setTimeout(resume, 1_000))
      outcome = await ask()
    }
    await mutate()
    return outcome
  }
  return { withdrawals: data?.withdrawals ?? [], withdraw }
}
