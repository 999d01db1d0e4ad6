import { getBytes, JsonRpcProvider, Network, Wallet } from 'ethers'
import type { BrowserContext } from 'playwright-core'
import type { RunFile } from './run-file.ts'

type Call = { method: string; params?: any[] }
type Reply = { result: unknown } | { error: { code: number; message: string } }
type Options = {
  privateKey: string
  /** Chain that the wallet is connected to at first; default: the store's chain. */
  chainId?: number
  /** Several wallets in one browser need different names. */
  name?: string
  /** Whether its owner signs; otherwise it rejects with code 4001. */
  signs?: boolean
}

/** A browser wallet: in the page a provider (EIP-1193) announced by EIP-6963; keys and RPC stay in Node. */
export async function installWallet(
  context: BrowserContext,
  run: RunFile,
  { privateKey, name = 'MetaMask', signs = true, ...at }: Options,
) {
  const network = new Network('local', run.chainId)
  const chain = new JsonRpcProvider(run.chainRpcUrl, network, { staticNetwork: network })
  const signer = new Wallet(privateKey, chain)
  const calls: Call[] = []
  const known = new Set([at.chainId ?? run.chainId])
  let chainId = at.chainId ?? run.chainId

  const refuse = (code: number, message: string): Reply => ({ error: { code, message } })
  async function handle({ method, params = [] }: Call): Promise<Reply> {
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

  const binding = `request${name}`
  await context.exposeBinding(binding, (_source, call: Call) => {
    calls.push(call)
    return handle(call)
  })
  await context.addInitScript({ content: announcement(name, binding) })
  context.on('close', () => chain.destroy())
  return { address: signer.address, requests: () => calls.map(({ method }) => method) }
}

/** Script of the page; a string, because it runs in the browser. */
const announcement = (name: string, binding: string) => `{
  const provider = {
    isMetaMask: ${name === 'MetaMask'},
    request: async (call) => {
      const reply = await ${binding}(call)
      if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code })
      return reply.result
    },
    on: () => {},
    removeListener: () => {},
  }
  const info = { uuid: crypto.randomUUID(), name: '${name}', icon: '', rdns: 'test.${name}' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.ethereum = provider
  addEventListener('eip6963:requestProvider', announce)
  announce()
}`
