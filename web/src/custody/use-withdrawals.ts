import type { Withdrawal } from '@nifty/api/minting'
import useSWR from 'swr'
import { type ApiError, requestAsUser, send } from '../api.ts'
import { useSession } from '../session.ts'

const path = '/api/withdrawals'
const isOver = ({ state }: Withdrawal) => state === 'final' || state === 'failed'

/** The ways out of custody that the reader started; looked at while one is under way. */
export function useWithdrawals() {
  const { token } = useSession()
  const { data, mutate } = useSWR<{ withdrawals: Withdrawal[] }, ApiError>(token ? path : null, requestAsUser, {
    refreshInterval: (list) => ((list?.withdrawals ?? []).every(isOver) ? 0 : 2_000),
  })
  const withdraw = async ({ contract, identifier }: { contract: string; identifier: string }) => {
    const outcome = await send<Withdrawal>(path, { asUser: true, body: { contract, identifier } })
    await mutate()
    return outcome
  }
  return { withdrawals: data?.withdrawals ?? [], withdraw }
}
