import { storeName } from '../api/store-name.ts'

/** An injected wallet (EIP-1193), used without a chain library. */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
  removeListener?(event: string, listener: (value: unknown) => void): void
}

/** A wallet that announced itself (EIP-6963), or the one at `window.ethereum`. */
export type FoundWallet = { id: string; name: string; icon: string | null; provider: Provider }

type Announcement = CustomEvent<{
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}>

/** Calls `onChange` with all wallets found so far whenever one announces itself. Returns the unsubscribe function. */
export function findWallets(onChange: (wallets: FoundWallet[]) => void): () => void {
  const wallets = new Map<string, FoundWallet>()
  const injected = (window as { ethereum?: Provider }).ethereum

  const notify = () => {
    const announced = [...wallets.values()]
    const isAnnounced = injected && announced.some(({ provider }) => provider === injected)
    onChange(
      injected && !isAnnounced
        ? [...announced, { id: 'injected', name: 'MetaMask', icon: null, provider: injected }]
        : announced,
    )
  }
  const onAnnounce = (event: Event) => {
    const { info, provider } = (event as Announcement).detail ?? {}
    if (!info?.uuid || !provider) return
    // Only `data:` icons: another URL would be fetched from a third party.
    wallets.set(info.rdns || info.uuid, {
      id: info.uuid,
      name: info.name,
      icon: info.icon?.startsWith('data:image/') ? info.icon : null,
      provider,
    })
    notify()
  }

  addEventListener('eip6963:announceProvider', onAnnounce)
  dispatchEvent(new Event('eip6963:requestProvider'))
  notify()
  return () => removeEventListener('eip6963:announceProvider', onAnnounce)
}

/**
 * The `wanted` account if the wallet connects it, else its active one: the first of `eth_requestAccounts`. Rejects when
 * the user refuses.
 */
export async function requestAccount(provider: Provider, wanted?: string | null): Promise<string | undefined> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  if (!Array.isArray(accounts)) return undefined
  const found = accounts.filter((account) => typeof account === 'string')
  return found.find((account) => account.toLowerCase() === wanted?.toLowerCase()) ?? found[0]
}

/**
 * Signs a text (personal_sign). No transaction, no fee. Rejects when the user refuses, or the wallet returns no
 * signature.
 */
export async function signText(provider: Provider, account: string, text: string): Promise<string> {
  const signature = await provider.request({ method: 'personal_sign', params: [hexOf(text), account] })
  if (typeof signature !== 'string') throw new Error('The wallet answered without a signature')
  return signature
}

/** Signs EIP-712 typed data. */
export const signTypedData = (provider: Provider, account: string, typedData: unknown) =>
  provider.request({ method: 'eth_signTypedData_v4', params: [account, JSON.stringify(typedData)] }) as Promise<string>

const hexOf = (text: string) =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

type Chain = { chainId: number; chainRpcUrl?: string; explorerUrl?: string }

/** Switches the wallet to the store's chain, adding the chain if necessary (EIP-3326, EIP-3085). */
export async function switchChain(provider: Provider, { chainId, chainRpcUrl, explorerUrl }: Chain): Promise<void> {
  const hexId = `0x${chainId.toString(16)}`
  if ((await provider.request({ method: 'eth_chainId' })) === hexId) return
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexId }] })
  } catch (error) {
    if ((error as { code?: number }).code !== 4902 || !chainRpcUrl) throw error
    const chainName = chainId === 137 ? 'Polygon' : `${storeName} chain ${chainId}`
    const nativeCurrency = { name: 'POL', symbol: 'POL', decimals: 18 }
    const blockExplorerUrls = explorerUrl ? [explorerUrl] : undefined
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId: hexId, chainName, nativeCurrency, rpcUrls: [chainRpcUrl], blockExplorerUrls }],
    })
  }
}

/** Adds a token to the wallet's list (EIP-747). */
export const watchToken = (provider: Provider, { contract, identifier }: { contract: string; identifier: string }) =>
  provider.request({
    method: 'wallet_watchAsset',
    params: { type: 'ERC721', options: { address: contract, tokenId: identifier } },
  })
