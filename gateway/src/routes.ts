/** Path prefix → service. The longest prefix wins; all other paths belong to the front end. */
export const services = ['auth', 'catalog', 'payments', 'minting', 'notification'] as const
export type ServiceName = (typeof services)[number]

export const routes: Record<string, ServiceName> = {
  '/api/auth': 'auth',
  '/api/users': 'auth',
  '/api/password-reset': 'auth',
  '/api/wallet': 'auth',
  '/uploads/avatars': 'auth',
  '/api/nfts': 'catalog',
  '/api/creators': 'catalog',
  '/api/nfts/test': 'payments',
  '/api/orders': 'payments',
  '/api/payments': 'payments',
  '/api/mints': 'minting',
  '/api/permits': 'minting',
  '/api/withdrawals': 'minting',
  '/api/tokens': 'minting',
  '/uploads/nfts': 'minting',
  '/api/subscribe': 'notification',
  '/api/contact': 'notification',
}

/** Called by the card processor, cross-site and without a session; payments verifies its signature. */
export const webhookPath = '/api/payments/webhook'
