/**
 * All services of the store, in the order in which a single process starts them: a service starts after those that it
 * calls. The gateway, the launchers, the operator's tool, bench, chaos and the tests loop over this list; the chart and
 * the compose file are held to it by a test.
 */
export type ServiceEntry = {
  name: string
  /** In the OpenAPI document. */
  description: string
  /** Path prefixes that the gateway routes to it; the longest matching prefix wins. */
  prefixes: readonly string[]
  /** Services that it calls on their internal ports. */
  calls: readonly string[]
  /** Default port of its internal routes, when every service runs on a host of its own. */
  internalPort: number
}

export const services = [
  {
    name: 'auth',
    description: 'Accounts, log-ins, profiles and wallets',
    prefixes: ['/api/auth', '/api/users', '/api/password-reset', '/api/wallet', '/uploads/avatars', '/uploads/covers'],
    calls: [],
    internalPort: 3100,
  },
  {
    name: 'minting',
    description: 'Mints, tokens, custody, gifts and certificates',
    prefixes: [
      '/api/mints',
      '/api/permits',
      '/api/withdrawals',
      '/api/gifts',
      '/api/certificates',
      '/api/tokens',
      '/uploads/nfts',
      '/uploads/originals',
    ],
    calls: ['auth'],
    internalPort: 3100,
  },
  {
    name: 'catalog',
    description: 'The market: works, artists, exhibitions, favourites',
    prefixes: [
      '/api/nfts',
      '/api/auctions',
      '/api/received-offers',
      '/api/creators',
      '/api/favourites',
      '/api/follows',
    ],
    calls: ['auth', 'minting'],
    internalPort: 3100,
  },
  {
    name: 'payments',
    description: 'Orders, card payments and statements',
    prefixes: ['/api/nfts/test', '/api/offers', '/api/bids', '/api/orders', '/api/payments'],
    calls: ['auth', 'catalog', 'minting'],
    internalPort: 3100,
  },
  {
    name: 'notification',
    description: 'Newsletter, contact messages and notices',
    prefixes: ['/api/subscribe', '/api/contact', '/api/notices'],
    calls: ['auth'],
    internalPort: 3100,
  },
] as const satisfies readonly ServiceEntry[]

export type ServiceName = (typeof services)[number]['name']

export const serviceNames: readonly ServiceName[] = services.map(({ name }) => name)

/** Every program of a cluster. */
export const programs = [...serviceNames, 'gateway'] as const
export type Program = (typeof programs)[number]

/** Services that this one calls on their internal ports. */
export const servicesCalledBy = (name: ServiceName): readonly ServiceName[] =>
  services.find((entry) => entry.name === name)!.calls

/** Services that call this one on its internal port. */
export const servicesCalling = (name: ServiceName): readonly ServiceName[] =>
  services.filter(({ calls }) => (calls as readonly string[]).includes(name)).map((entry) => entry.name)

/** A record with one value per service. */
export const perService = <Value>(toValue: (name: ServiceName) => Value): Record<ServiceName, Value> =>
  Object.fromEntries(serviceNames.map((name) => [name, toValue(name)])) as Record<ServiceName, Value>

/** Name of the variable with the address of a service's public routes (`AUTH_URL`). */
export const urlVariable = (name: ServiceName) => `${name.toUpperCase()}_URL` as const

/** Name of the variable with the address of a service's internal routes (`AUTH_INTERNAL_URL`). */
export const internalUrlVariable = (name: ServiceName) => `${name.toUpperCase()}_INTERNAL_URL` as const

/** Name of the variable with the keys with which one service calls another (`PAYMENTS_TO_AUTH_KEYS`); both read it. */
export const serviceKeysVariable = (caller: ServiceName, called: ServiceName) =>
  `${caller.toUpperCase()}_TO_${called.toUpperCase()}_KEYS` as const
