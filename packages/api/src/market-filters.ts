/** Values of the market's parameters. Without imports, because browsers load it. */

/**
 * Orders of the market; without one the newest listing comes first, and hits of a search are ranked. `for_sale`: works
 * for sale first, the newest listing first among them and among the others.
 */
export const marketSorts = ['for_sale', 'newest', 'price_asc', 'price_desc', 'recently_sold'] as const

/** Names of a picture's dominant colour. */
export const colorNames = [
  ...(['red', 'orange', 'yellow', 'green', 'teal', 'blue'] as const),
  ...(['purple', 'pink', 'brown', 'black', 'grey', 'white'] as const),
]

/** Shape of a picture; sides that differ by less than a twentieth are square. */
export const orientations = ['portrait', 'landscape', 'square'] as const

/**
 * Ways of selling beside a price. `offers`: works whose owners take offers. `auctions`: the one that ends first comes
 * first.
 */
export const marketSales = ['offers', 'auctions'] as const

export type MarketSort = (typeof marketSorts)[number]
export type MarketSale = (typeof marketSales)[number]
export type ColorName = (typeof colorNames)[number]
export type Orientation = (typeof orientations)[number]
