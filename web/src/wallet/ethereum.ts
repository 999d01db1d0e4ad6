/** An injected wallet (EIP-1193). Spoken to directly: no chain library has to load for it. */
export type Provider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
  removeListener?(event: string, listener: (value: unknown) => void): void
}

/** A wallet that announced itself (EIP-6963), or the one that sits at `window.ethereum`. */
export type FoundWallet = { id: string; name: string; icon: string | null; provider: Provider }

type Announcement = CustomEvent<{
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}>

/** Calls `found` with everything that is there so far, each time one more wallet announces itself. Answers how to stop. */
export function findWallets(found: (wallets: FoundWallet[]) => void): () => void {
  const wallets = new Map<string, FoundWallet>()
  const injected = (window as { ethereum?: Provider }).ethereum

  const tell = () => {
    const announced = [...wallets.values()]
    const known = injected && announced.some(({ provider }) => provider === injected)
    found(
      injected && !known
        ? [...announced, { id: 'injected', name: 'MetaMask', icon: null, provider: injected }]
        : announced,
    )
  }
  const hear = (event: Event) => {
    const { info, provider } = (event as Announcement).detail ?? {}
    if (!info?.uuid || !provider) return
    // An icon is a picture inside the announcement; anything that would be fetched is left out.
    wallets.set(info.rdns || info.uuid, {
      id: info.uuid,
      name: info.name,
      icon: info.icon?.startsWith('data:image/') ? info.icon : null,
      provider,
    })
    tell()
  }

  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  tell()
  return () => removeEventListener('eip6963:announceProvider', hear)
}

/** The accounts that the person shares, the first one being the active one. Rejects when they refuse. */
export async function askForAccount(provider: Provider): Promise<string | undefined> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  return Array.isArray(accounts) && typeof accounts[0] === 'string' ? accounts[0] : undefined
}

/** A signature of readable text. Costs nothing and moves nothing. */
export const signText = (provider: Provider, account: string, text: string) =>
  provider.request({ method: 'personal_sign', params: [hexOf(text), account] }) as Promise<string>

/** A signature of EIP-712 data. */
export const signTypedData = (provider: Provider, account: string, typedData: unknown) =>
  provider.request({ method: 'eth_signTypedData_v4', params: [account, JSON.stringify(typedData)] }) as Promise<string>

const hexOf = (text: string) =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

type Chain = { chainId: number; chainRpcUrl?: string; explorerUrl?: string }

/** Asks the wallet to be on the store's chain, and to add it when it does not know it (EIP-3326, EIP-3085). */
export async function switchChain(provider: Provider, { chainId, chainRpcUrl, explorerUrl }: Chain): Promise<void> {
  const hexId = `0x${chainId.toString(16)}`
  if ((await provider.request({ method: 'eth_chainId' })) === hexId) return
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexId }] })
  } catch (error) {
    if ((error as { code?: number }).code !== 4902 || !chainRpcUrl) throw error
    const chainName = chainId === 137 ? 'Polygon' : `Nifty chain ${chainId}`
    const nativeCurrency = { name: 'POL', symbol: 'POL', decimals: 18 }
    const blockExplorerUrls = explorerUrl ? [explorerUrl] : undefined
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId: hexId, chainName, nativeCurrency, rpcUrls: [chainRpcUrl], blockExplorerUrls }],
    })
  }
}

/** Asks the wallet to show a token among its own (EIP-747). */
export const watchToken = (provider: Provider, { contract, identifier }: { contract: string; identifier: string }) =>
  provider.request({
    method: 'wallet_watchAsset',
    params: { type: 'ERC721', options: { address: contract, tokenId: identifier } },
  })
