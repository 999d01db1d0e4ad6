import type { FoundWallet, Provider } from './ethereum.ts'

const MAX_WAIT_MS = 1_000

/**
 * Of several wallets the one that has `address` connected to the store, else the first. Opens no window of a wallet;
 * one that does not respond within a second counts as not connected.
 */
export async function linkedWallet(
  wallets: FoundWallet[],
  address: string | null | undefined,
): Promise<FoundWallet | undefined> {
  if (wallets.length < 2 || !address) return wallets[0]
  const connected = await Promise.all(wallets.map(({ provider }) => hasAccount(provider, address)))
  return wallets[connected.indexOf(true)] ?? wallets[0]
}

async function hasAccount(provider: Provider, address: string): Promise<boolean> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS))
  // In a function of its own: a provider may throw at once.
  const listing = (async () => provider.request({ method: 'eth_accounts' }))().catch(() => undefined)
  const accounts = await Promise.race([listing, timeout])
  return Array.isArray(accounts) && accounts.some((account) => isSameAddress(account, address))
}

const isSameAddress = (account: unknown, address: string) =>
  typeof account === 'string' && account.toLowerCase() === address.toLowerCase()
