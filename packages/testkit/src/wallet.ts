import type { RunFile } from '@nifty/local/run-file'
import { getBytes, JsonRpcProvider, Network, Wallet } from 'ethers'
import type { BrowserContext } from 'playwright-core'

type Call = { method: string; params?: any[] }
type Answer = { result: unknown } | { error: { code: number; message: string } }
type Wishes = {
  privateKey: string
  /** Where the wallet is at first; the store's chain when absent. */
  chainId?: number
  /** Whether its owner signs. */
  signs?: boolean
}

/** A browser wallet: in the page a provider (EIP-1193) that announces itself (EIP-6963), its keys and the chain in Node. */
export async function installWallet(
  context: BrowserContext,
  run: RunFile,
  { privateKey, signs = true, ...at }: Wishes,
) {
  const network = new Network('local', run.chainId)
  const chain = new JsonRpcProvider(run.chainRpcUrl, network, { staticNetwork: network })
  const signer = new Wallet(privateKey, chain)
  const asked: Call[] = []
  const known = new Set([at.chainId ?? run.chainId])
  let chainId = at.chainId ?? run.chainId

  const refuse = (code: number, message: string): Answer => ({ error: { code, message } })
  async function answer({ method, params = [] }: Call): Promise<Answer> {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return { result: [signer.address] }
      case 'eth_chainId':
        return { result: `0x${chainId.toString(16)}` }
      case 'wallet_switchEthereumChain':
        if (!known.has(Number(params[0].chainId))) return refuse(4902, 'Unrecognized chain ID')
        chainId = Number(params[0].chainId)
        return { result: null }
      case 'wallet_addEthereumChain':
        chainId = Number(params[0].chainId)
        known.add(chainId)
        return { result: null }
      case 'wallet_watchAsset':
        return { result: true }
      case 'personal_sign':
        if (!signs) return refuse(4001, 'User rejected the request.')
        return { result: await signer.signMessage(getBytes(params[0])) }
      case 'eth_signTypedData_v4': {
        if (!signs) return refuse(4001, 'User rejected the request.')
        const { domain, types, message } = JSON.parse(params[1])
        const { EIP712Domain: _, ...own } = types
        return { result: await signer.signTypedData(domain, own, message) }
      }
      default:
        return { result: await chain.send(method, params) }
    }
  }

  await context.exposeBinding('walletAnswers', (_source, call: Call) => {
    asked.push(call)
    return answer(call)
  })
  await context.addInitScript({ content: announce })
  context.on('close', () => chain.destroy())
  return { address: signer.address, asked: () => asked.map(({ method }) => method) }
}

/** Runs in the page, which these types know nothing of. */
const announce = `
  const provider = {
    isMetaMask: true,
    request: async (call) => {
      const answer = await walletAnswers(call)
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      return answer.result
    },
    on: () => {},
    removeListener: () => {},
  }
  const info = { uuid: '6b0d6a6e-5f0e-4f6a-9a36-0d1d5c7f3c11', name: 'MetaMask', icon: '', rdns: 'io.metamask' }
  const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.ethereum = provider
  addEventListener('eip6963:requestProvider', tell)
  tell()
`
