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

/**
 * The message of a 4xx; of a signature that the owner refused, what has not changed. Other failures are only described
 * by the item's state, as specified.
 */
export function describeFailure(
  { status, code, message }: Pick<ApiError, 'status' | 'code' | 'message'>,
  { forSale }: Pick<NftDetail, 'forSale'>,
): string {
  if (code === 'permit_required') {
    const unchanged = forSale ? 'the price has not changed' : 'the work is not for sale'
    return `You have not signed, so ${unchanged}. Please sign with the wallet that holds the work, in a browser that has this wallet.`
  }
  if (status >= 400 && status < 500) return message
  return forSale ? 'The price has not changed yet.' : 'The work is not for sale yet.'
}

/** The work is for sale for less than this offer, in euros. */
export const isAbovePrice = (euros: number, { forSale, price }: Pick<NftDetail, 'forSale' | 'price'>) =>
  forSale && price !== null && euros > price
