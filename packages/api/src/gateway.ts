/** Endpoints of the gateway itself, and prefixes that it shares with the front end's build. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** Every path of a service below these prefixes; all other paths are documents and files of the front end. */
export const API_PREFIX = '/api/'
export const UPLOADS_PREFIX = '/uploads/'
/** The front end's scripts, style sheets and fonts. */
export const ASSETS_PREFIX = '/assets/'
/** The store's icon, also for markets that show the collection. */
export const STORE_ICON = '/icon-512.png'

export const getDocs = endpoint({
  summary: 'The OpenAPI documents of all services, merged',
  method: 'GET',
  path: '/api/docs',
  access: 'public',
  hidden: true,
})

/** The page that shows this document, and its files. */
export const DOCS_PAGE_PREFIX = '/api/docs/'

export const getShareImage = endpoint({
  summary: 'A picture for previews of links',
  description: 'JPEG of 1200 × 630 pixels: `home`, `item/…` or `artist/…`, and a version of the content.',
  method: 'GET',
  path: '/share/*',
  access: 'public',
  produces: ['image/jpeg'],
  hidden: true,
})

/** What the store is called, and what it says of itself in a sentence. Text without markup. */
export type Store = Static<typeof Store>
export const Store = Type.Object({ name: Type.String(), tagline: Type.String() })

/** Who runs the store, for footer, contact page, receipts, mails and legal texts. */
export type Company = Static<typeof Company>
export const Company = Type.Object({
  name: Type.String(),
  number: Type.String(),
  /** Where it is registered, as a sentence without a full stop. */
  register: Type.String(),
  /** Lines of the postal address. */
  address: Type.Array(Type.String()),
  email: Type.String(),
})

/** The operator's settings for the front end. */
export type FrontEndConfig = Static<typeof FrontEndConfig>
export const FrontEndConfig = Type.Object({
  /** The chain that wallets are switched to. */
  chainId: Type.Integer(),
  store: Store,
  company: Company,
  /** RPC URL for a wallet that has to add the chain. */
  chainRpcUrl: Type.Optional(Type.String()),
  /** Block explorer; absent for a local chain. */
  explorerUrl: Type.Optional(Type.String()),
  /** Origins that a buyer may be redirected to for the payment. */
  payOrigins: Type.Optional(Type.Array(Type.String())),
  /** Version of the terms in force. */
  termsVersion: Type.Optional(Type.String()),
  /** From the capture of a work that was bought into custody until it can be withdrawn. */
  custodyHoldHours: Type.Optional(Type.Number()),
  /** The store's share of a price. */
  commissionPercent: Type.Optional(Type.Number()),
  /** Collectors can make offers, and owners take them. */
  offers: Type.Optional(Type.Boolean()),
  /** Owners can start auctions, and collectors bid in them. */
  auctions: Type.Optional(Type.Boolean()),
  tagManagerUrl: Type.Optional(Type.String()),
  analyticsUrl: Type.Optional(Type.String()),
  /** The video behind log-in, sign-up and password reset. */
  videoUrl: Type.Optional(Type.String()),
})

export const getFrontEndConfig = endpoint({
  summary: "The operator's settings for the front end",
  method: 'GET',
  path: '/config.json',
  access: 'public',
  hidden: true,
  response: FrontEndConfig,
})
