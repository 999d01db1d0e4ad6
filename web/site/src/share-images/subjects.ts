import { getMarket, getNft, listFeatured, type Market, type NftDetail } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getShareImage } from '@nifty/api/gateway'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'
import { cardOfArtist, cardOfItem, cardOfStore, type ShareCard, type Sharer, versionOf } from './card.ts'

/** What can be shared: `home`, `item/{contract}/{identifier}`, `artist/{username}`. */
export type Subject =
  | { kind: 'home' }
  | { kind: 'item'; contract: string; identifier: string }
  | { kind: 'artist'; username: string }

/** Milliseconds after which the works of the home page's image are read again. */
const HOME_MS = 60_000

/** Parts of addresses; for anything else no request is sent. */
const username = /^(?!\.{1,2}$)[^/\\]{1,300}$/
const contract = /^0x[0-9a-f]{40}$/i
const identifier = /^\d{1,78}$/

export const isItem = (one: { contract: string; identifier: string }) =>
  contract.test(one.contract) && identifier.test(one.identifier)
const slug = /^[a-z0-9-]{1,80}$/

export const isSlug = (text: string) => slug.test(text)
export const isUsername = (text: string) => username.test(text)

/** Address of a card's image below the public URL. */
export function shareImagePath(subject: Subject, card: ShareCard): string {
  const parts = { home: [], item: [], artist: [] } as Record<Subject['kind'], string[]>
  if (subject.kind === 'item') parts.item = [subject.contract, subject.identifier]
  if (subject.kind === 'artist') parts.artist = [encodeURIComponent(subject.username)]
  return `${getShareImage.path.replace('*', '')}${[subject.kind, ...parts[subject.kind], versionOf(card)].join('/')}.jpg`
}

/** The subject of such an address, and the version that it names; undefined for another address. */
export function readShareImagePath(path: string): { subject: Subject; version: string } | undefined {
  const match = /^(.+)\/([0-9a-f]{20})\.jpg$/.exec(path)
  if (!match) return undefined
  const [, named, version] = match as unknown as [string, string, string]
  const [kind, first = '', second = '', ...rest] = named.split('/').map(decoded)
  if (rest.length > 0) return undefined
  if (kind === 'home' && first === '') return { subject: { kind }, version }
  if (kind === 'artist' && second === '' && isUsername(first)) return { subject: { kind, username: first }, version }
  const item = { contract: first, identifier: second }
  return kind === 'item' && isItem(item) ? { subject: { kind, ...item }, version } : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

export type Cards = ReturnType<typeof createCards>

/** Reads the cards of subjects from catalog's public endpoints. */
export function createCards(catalog: Upstream, sharer: Sharer) {
  let home: { card: ShareCard; until: number } | undefined
  let reading: Promise<ShareCard> | undefined

  /**
   * Also after a failure the card is kept for a while: every document needs it, and none of them waits for catalog
   * twice.
   */
  async function readStore(): Promise<ShareCard> {
    const featured = await getJson<Market>(catalog, listFeatured.path)
    const card = featured?.nfts ? cardOfStore(featured.nfts, sharer) : (home?.card ?? cardOfStore([], sharer))
    home = { card, until: performance.now() + HOME_MS }
    reading = undefined
    return card
  }

  /** The last card while a newer one is read; only the first one is waited for. */
  function ofStore(): ShareCard | Promise<ShareCard> {
    if (home && home.until > performance.now()) return home.card
    reading ??= readStore()
    return home?.card ?? reading
  }

  /** An artist without works has no card. */
  async function ofArtist(name: string): Promise<ShareCard | undefined> {
    const query = { creator: name, page: '1', limit: '3' }
    const market = await getJson<Market>(catalog, endpointUrl(getMarket, { query }))
    const newest = market?.nfts?.[0]
    if (!market || !newest) return undefined
    const params = { username: name, contract: newest.contract, identifier: newest.identifier }
    const creator = (await getJson<NftDetail>(catalog, endpointUrl(getNft, { params })))?.creator
    return creator ? cardOfArtist(creator, market, sharer) : undefined
  }

  /** Undefined for a work that is hidden or missing, and for an artist without works. */
  async function of(subject: Subject): Promise<ShareCard | undefined> {
    if (subject.kind === 'home') return ofStore()
    if (subject.kind === 'artist') return ofArtist(subject.username)
    const params = { username: 'unknown', contract: subject.contract, identifier: subject.identifier }
    const nft = await getJson<NftDetail>(catalog, endpointUrl(getNft, { params }))
    return nft && cardOfItem(nft, sharer)
  }

  return { of, ofWork: (nft: NftDetail) => cardOfItem(nft, sharer) }
}
