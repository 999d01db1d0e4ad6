import type { Nft } from '@nifty/api/catalog/public'
import type { ApiClient } from './api-client.ts'
import { waitUntil } from './wait-until.ts'

export const itemPath = ({
  ownerUsername,
  contract,
  identifier,
}: Pick<Nft, 'ownerUsername' | 'contract' | 'identifier'>) =>
  `/item-detail/${ownerUsername ?? 'unknown'}/${contract}/${identifier}`

/** Euros as pages write them: cents stand in full or not at all, 12.50 or 12. */
export const asPrinted = (euros: number) =>
  `${euros.toLocaleString('en', { minimumFractionDigits: Number.isInteger(euros) ? 0 : 2 })}\u00a0€`

/** A work that is for sale and not reserved. A store that has just started creates its works in the background: waits. */
export async function availableWork(client: ApiClient, wanted: (work: Nft) => boolean = () => true): Promise<Nft> {
  return waitUntil(async () => (await client.market()).find((each) => each.forSale && !each.reserved && wanted(each)))
}
