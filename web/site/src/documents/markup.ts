import type { Nft, NftDetail } from '@nifty/api/catalog/public'
import type { LegalText } from '@nifty/api/content'
import type { FrontEndConfig } from '@nifty/api/gateway'
import { sizeOfName } from '@nifty/api/name-size'
import { itemTitle } from '@nifty/api/pages'
import { formatPrice } from '@nifty/api/price'
import type { Content } from '@nifty/content/content'
import { fullName } from '../share-images/card.ts'
import { escapeHtml } from '../share-images/escape-html.ts'

/** A work of a list, or the one that a page is about. */
export type Work = Nft & Partial<Pick<NftDetail, 'creator'>>

const WORKS = '/uploads/nfts/'

/**
 * `%1.name%` is the name of the second work, `%1.name:path%` the same as part of a path, `%company.name%` that of who
 * runs the store, `%store.name%` its own name, `%terms.version%` that of the terms in force, `%home.title%` and
 * `%text.title%` are of the shop's texts; `web/src/app/prerender.tsx` writes them.
 */
const placeholder = /%(\d|store|company|terms|home|text)\.(\w+)(:path|:html)?%/g

/** The name of the markup of a page about a work, among those that the build has rendered. */
export function variantOf({ forSale, reserved, creator, owner, auction }: Work) {
  // Of an auction there is none, because the clock decides what its page shows.
  const state = auction ? 'on-auction' : reserved ? 'reserved' : forSale ? 'for-sale' : 'not-for-sale'
  const isArtists = creator && creator.username === owner?.username
  return [state, creator && 'artist', owner && (isArtists ? 'same-owner' : 'owner')].filter(Boolean).join(' ')
}

/** `text`: the one that the page shows. */
type Filling = { works: Work[]; frontEnd: FrontEndConfig; content: Content; text?: LegalText }

/**
 * Fills in the works and the settings of prerendered markup. Empty if a work is missing, or cannot be shown as the page
 * will show it.
 */
export function fillMarkup(markup: string, { works, frontEnd, content, text }: Filling): string {
  const { store, company, termsVersion = '' } = frontEnd
  const valuesOf: Record<string, Record<string, string> | undefined> = {
    ...Object.fromEntries(works.map((work, place) => [place, valuesOfWork(work)])),
    store: { ...store, size: sizeOfName(store.name) },
    company: { ...company, address: company.address.join(', ') },
    terms: { version: termsVersion },
    home: content.texts.home,
    text: text && { ...text, version: text.version ?? '' },
  }
  const needed = [...markup.matchAll(placeholder)].map(([, of]) => valuesOf[of!])
  if (!needed.every(Boolean)) return ''
  return markup.replace(placeholder, (_all, of, name, as) => {
    const value = valuesOf[of]![name] ?? ''
    return as === ':html' ? value : escapeHtml(as === ':path' ? encodeURIComponent(value) : value)
  })
}

function valuesOfWork(work: Work): Record<string, string> | undefined {
  // `ItemPreview` of the front end.
  const { _id, name, image, display_image_url, width, height, color } = work
  const { price, description, contract, identifier, creatorUsername, creator = null, owner } = work
  if (!image?.startsWith(WORKS) || !/^#[0-9a-f]{6}$/i.test(color) || !(width > 0 && height > 0)) return
  return {
    name,
    title: itemTitle({ name, creator }),
    preview: JSON.stringify({ _id, name, image, display_image_url, width, height, color }),
    file: image.slice(WORKS.length),
    color,
    width: String(width),
    height: String(height),
    price: price === null ? (work.offers ? 'By offer' : 'Not priced yet') : formatPrice(price),
    priceOnCard: priceOnCard(work),
    description: description || 'No description.',
    contract,
    identifier,
    ...(creator && { artist: creator.username, artistName: fullName(creator) }),
    owner: owner?.username ?? 'Unknown Owner',
    // Of an artist who owns the work a list has the name.
    artistInList: (owner?.username === creatorUsername && owner ? fullName(owner) : creatorUsername) ?? '',
    // As `itemPath` writes it.
    ownerInPath: owner?.username ?? 'unknown',
    ...(owner && { ownerName: fullName(owner) }),
  }
}

/** As `ItemPrice` of the front end, without the former price; of an auction until its component is loaded. */
function priceOnCard({ forSale, price, offers, auction }: Work): string {
  if ((forSale || auction) && price !== null) return formatPrice(price)
  return offers ? `Offers from ${formatPrice(offers.minimum)}` : 'Not for sale'
}
