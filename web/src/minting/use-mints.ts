import { createMint, listMints, type Mint } from '@nifty/api/minting/public'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Milliseconds between two polls. */
const pollInterval = 2_000

export type NewItem = {
  image: File
  name: string
  description: string
  category: string
  /** Euros as typed; empty: not for sale yet. */
  price: string
  holder: 'custody' | 'wallet'
}

export const isUnderWay = ({ state }: Mint) => state === 'accepted' || state === 'minting'

/** The user's mints, newest first, polled while one is under way. */
export function useMints() {
  const { data, error, mutate } = useEndpoint(
    listMints,
    {},
    { refreshInterval: (list) => (list?.mints?.some(isUnderWay) ? pollInterval : 0) },
  )
  return { mints: data?.mints ?? [], error, reload: () => mutate() }
}

/** Uploads an item to be minted. Idempotent by `key`. */
export function mintItem(item: NewItem, key: string) {
  const form = new FormData()
  for (const [name, value] of Object.entries(item)) if (value !== '') form.append(name, value)
  return send(createMint, { form, timeoutMs: 60_000, idempotencyKey: key })
}
