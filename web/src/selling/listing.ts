import { type NftDetail, removeFromSale as removeEndpoint, setPrice } from '@nifty/api/catalog/public'
import { type ApiError, send } from '../api/api.ts'

const paramsOf = ({ contract, identifier }: Pick<NftDetail, 'contract' | 'identifier'>) => ({ contract, identifier })

/** Lists an item at a price in euros, or changes the price. */
export function setForSale(item: NftDetail, price: number) {
  const { name, description, image, contract, category, identifier, token_standard } = item
  return send(setPrice, {
    params: paramsOf(item),
    body: { price, forSale: true, name, description, image, contract, category, identifier, token_standard },
  })
}

/**
 * Delists an item. While it is reserved this is only a request (`delistRequested`), dropped when the payment succeeds.
 */
export const removeFromSale = (item: NftDetail) => send(removeEndpoint, { params: paramsOf(item) })

/** The message of a 4xx. Other failures are only described by the item's state, as specified. */
export function describeFailure({ status, message }: ApiError, { forSale }: Pick<NftDetail, 'forSale'>): string {
  if (status >= 400 && status < 500) return message
  return forSale ? 'The price has not changed yet.' : 'The work is not for sale yet.'
}
