import type { Nft } from '@nifty/api/catalog/public'
import type { Visitor } from './visitor.ts'

export const itemPath = ({
  ownerUsername,
  contract,
  identifier,
}: Pick<Nft, 'ownerUsername' | 'contract' | 'identifier'>) =>
  `/item-detail/${ownerUsername ?? 'unknown'}/${contract}/${identifier}`

/** Euros as pages write them: cents stand in full or not at all, 12.50 or 12. */
export const asPrinted = (euros: number) =>
  `${euros.toLocaleString('en', { minimumFractionDigits: Number.isInteger(euros) ? 0 : 2 })}\u00a0€`

/** A work that can be bought now. */
export async function aWorkForSale(visitor: Visitor, wanted: (work: Nft) => boolean = () => true): Promise<Nft> {
  const work = (await visitor.market()).find((each) => each.forSale && !each.reserved && wanted(each))
  if (!work) throw new Error('nothing is for sale')
  return work
}
