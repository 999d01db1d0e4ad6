import { createHash } from 'node:crypto'
import type { Auction, Market, Nft, NftDetail } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'

/** The size that previews of links show without cutting. */
export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

/** Who shares: the name of the store, and the version of its look. */
export type Sharer = { store: string; look: string }

/** What a share image shows. `pictures`: paths of works, at most three. */
export type ShareCard = Sharer & { title: string; artist: string; price: string; pictures: string[] }

/** Raised when the same card is drawn differently, so that its images get new addresses. */
const LAYOUT = 1

/** Names the content of an image in its address. */
export const versionOf = (card: ShareCard) =>
  createHash('sha256')
    .update(JSON.stringify([LAYOUT, card.title, card.artist, card.price, card.pictures, card.store, card.look]))
    .digest('hex')
    .slice(0, 20)

export const fullName = ({ firstName, lastName, username }: NonNullable<NftDetail['creator']>) =>
  `${firstName} ${lastName}`.trim() || username

/** A work, with its price while it is for sale or on auction. */
export const cardOfItem = ({ name, creator, image, ...nft }: NftDetail, sharer: Sharer): ShareCard => ({
  title: name,
  artist: creator ? fullName(creator) : '',
  price: priceOf(nft),
  pictures: [image],
  ...sharer,
})

function priceOf({ forSale, price, auction }: Pick<NftDetail, 'forSale' | 'price' | 'auction'>): string {
  if (isOpenAuction(auction)) return `Auction, ${bidOf(auction)}`
  return forSale && price !== null ? formatPrice(price) : ''
}

/** Whether an auction is not decided: what follows from the clock is not in texts that are cached. */
export const isOpenAuction = (auction: NftDetail['auction']): auction is Auction => auction?.outcome === null

/** "current bid €120.00", without a bid "opening bid €50.00". */
export const bidOf = ({ price, opening }: Auction) =>
  price === null ? `opening bid ${formatPrice(opening)}` : `current bid ${formatPrice(price)}`

const picturesOf = (nfts: Nft[]) => nfts.slice(0, 3).map(({ image }) => image)

/**
 * An artist with the newest works and their number. Not the cover: three times as wide as high, it would fill a third
 * of the box that previews show, and an artist without works has no image anyway.
 */
export const cardOfArtist = (
  creator: NonNullable<NftDetail['creator']>,
  { nfts, total }: Market,
  sharer: Sharer,
): ShareCard => ({
  title: fullName(creator),
  artist: creator.username,
  price: total === 1 ? '1 work' : `${new Intl.NumberFormat('en-GB').format(total)} works`,
  pictures: picturesOf(nfts),
  ...sharer,
})

/** The store, with the works that its home page shows first. */
export const cardOfStore = (nfts: Nft[], sharer: Sharer): ShareCard => ({
  title: 'Rare NFT artworks, bought with a bank card',
  artist: '',
  price: '',
  pictures: picturesOf(nfts),
  ...sharer,
})
