import type { Nft } from '@nifty/api/catalog/public'
import { hideOwnItem, listHiddenItems, showOwnItem } from '@nifty/api/catalog/visibility'
import { useSWRConfig } from 'swr'
import { send } from '../../api/api.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useInvalidateMarket } from '../use-market.ts'

/** The works of the user that the user or an operator hides. */
export function useHiddenItems() {
  const { data, error, mutate } = useEndpoint(listHiddenItems, {})
  return { items: data?.nfts ?? [], error, reload: () => void mutate() }
}

/** Hides a work from the public pages, or shows it again, and refetches the lists that change. */
export function useSetHidden() {
  const { mutate } = useSWRConfig()
  const invalidateMarket = useInvalidateMarket()
  return async ({ contract, identifier }: Pick<Nft, 'contract' | 'identifier'>, hidden: boolean) => {
    const outcome = await send(hidden ? hideOwnItem : showOwnItem, { params: { contract, identifier } })
    await Promise.all([mutate(listHiddenItems.path), invalidateMarket()])
    return outcome
  }
}
