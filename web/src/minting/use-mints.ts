import type { Mint } from '@nifty/api/minting/public'
import useSWR from 'swr'
import { type ApiError, requestWithToken, send } from '../api.ts'

const path = '/api/mints'
const refreshInterval = 2_000

export type NewWork = {
  image: File
  name: string
  description: string
  category: string
  /** Euros as typed; empty when it is not to be sold yet. */
  price: string
  holder: 'custody' | 'wallet'
}

export const isUnderWay = ({ state }: Mint) => state === 'accepted' || state === 'minting'

/** What the reader has minted here, newest first; looked at while one is under way. */
export function useMints() {
  const { data, error, mutate } = useSWR<{ mints: Mint[] }, ApiError>(path, requestWithToken, {
    refreshInterval: (answer) => (answer?.mints?.some(isUnderWay) ? refreshInterval : 0),
  })
  return { mints: data?.mints ?? [], error, reload: () => mutate() }
}

/** Hands a work in. The same `key` twice is one work. */
export function mintWork(work: NewWork, key: string) {
  const body = new FormData()
  for (const [name, value] of Object.entries(work)) if (value !== '') body.append(name, value)
  return send<Mint>(path, { withToken: true, body, timeoutMs: 60_000, idempotencyKey: key })
}
