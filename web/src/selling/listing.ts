import type { NftDetail } from '@nifty/api/catalog/public'
import { type Outcome, send } from '../api.ts'

type Changed = { success: true; nft: NftDetail }

const tokenPath = ({ contract, identifier }: Pick<NftDetail, 'contract' | 'identifier'>) =>
  `/api/nfts/${encodeURIComponent(contract)}/${encodeURIComponent(identifier)}`

/** Puts a work on sale at a price in euros, or changes the price. */
export function setForSale(item: NftDetail, price: number): Promise<Outcome<Changed>> {
  const { name, description, image, contract, category, identifier, token_standard } = item
  return send(`${tokenPath(item)}/set-price`, {
    method: 'PUT',
    withToken: true,
    body: { price, forSale: true, name, description, image, contract, category, identifier, token_standard },
  })
}

/** Takes a work off the market. While somebody is paying it is a wish: the item says what became of it. */
export const removeFromSale = (item: NftDetail): Promise<Outcome<Changed>> =>
  send(`${tokenPath(item)}/remove-from-sale`, { method: 'PUT', withToken: true, body: {} })
