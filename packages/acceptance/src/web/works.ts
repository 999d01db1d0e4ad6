import type { Nft } from '@nifty/api/catalog'
import type { Visitor } from '../visitor.ts'

export const itemPath = ({
  ownerUsername,
  contract,
  identifier,
}: Pick<Nft, 'ownerUsername' | 'contract' | 'identifier'>) =>
  `/item-detail/${ownerUsername ?? 'unknown'}/${contract}/${identifier}`

/** A work that can be bought now. */
export async function aWorkForSale(visitor: Visitor, wanted: (work: Nft) => boolean = () => true): Promise<Nft> {
  const work = (await visitor.market()).find((each) => each.forSale && !each.reserved && wanted(each))
  if (!work) throw new Error('nothing is for sale')
  return work
}
