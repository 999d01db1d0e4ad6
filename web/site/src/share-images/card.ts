import { createHash } from 'node:crypto'
import type { Market, Nft, NftDetail } from '@nifty/api/catalog/public'
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

/** A work, with its price while it is for sale. */
export const cardOfItem = ({ name, creator, forSale, price, image }: NftDetail, sharer: Sharer): ShareCard => ({
  title: name,
  artist: creator ? fullName(creator) : '',
  price: forSale && price !== null ? formatPrice(price) : '',
  pictures: [image],
  ...sharer,
})

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
