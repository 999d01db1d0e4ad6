import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { collectionAbi, deliveryAbi } from '@nifty/contracts/abi'
import { connectChain } from '@nifty/contracts/provider'
import { withTls } from '@nifty/service-kit/base/smtp-url'
import { Contract } from 'ethers'
import { createTransport } from 'nodemailer'
import Stripe from 'stripe'
import type { Folders } from './backup.ts'
import type { Node } from './chain.ts'
import type { DoctorSettings } from './settings.ts'

type ChainSettings = Pick<DoctorSettings, 'rpcUrl' | 'chainId' | 'contracts'>

/** Connects for one read. */
async function withProvider<Result>(
  { rpcUrl, chainId }: ChainSettings,
  read: (provider: ReturnType<typeof connectChain>) => Promise<Result>,
): Promise<Result> {
  const provider = connectChain({ rpcUrl: rpcUrl!, chainId })
  try {
    return await read(provider)
  } finally {
    provider.destroy()
  }
}

export const connectNode = (settings: ChainSettings): Node => ({
  chainId: () => withProvider(settings, async (provider) => Number(await provider.send('eth_chainId', []))),
  finalizedAt: () =>
    withProvider(settings, async (provider) => {
      const block = await provider.send('eth_getBlockByNumber', ['finalized', false]).catch(() => null)
      return block && Number(block.timestamp)
    }),
  hasCode: (address) => withProvider(settings, async (provider) => (await provider.getCode(address)) !== '0x'),
  collection: () =>
    withProvider(settings, async (provider) => {
      const contract = new Contract(settings.contracts.CHAIN_COLLECTION!, collectionAbi, provider)
      return { name: await contract.name!(), symbol: await contract.symbol!() }
    }),
})

/** Moves that the contract allows one signer in a clock hour. */
export const readMovesPerHour = (settings: ChainSettings): Promise<number> =>
  withProvider(settings, async (provider) => {
    const contract = new Contract(settings.contracts.CHAIN_DELIVERY!, deliveryAbi, provider)
    return Number(await contract.limitPerHour!())
  })

/** The address of a processor that is not the real one, as the package takes it. */
function addressOf(url: string | undefined) {
  if (!url) return {}
  const { protocol, hostname, port } = new URL(url)
  return {
    protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || undefined,
  }
}

/** Throws what the processor refuses, with its `statusCode`. */
export async function webhookEndpoints(secretKey: string, url: string | undefined): Promise<Stripe.WebhookEndpoint[]> {
  const stripe = new Stripe(secretKey, { ...addressOf(url), telemetry: false, maxNetworkRetries: 0, timeout: 10_000 })
  return (await stripe.webhookEndpoints.list({ limit: 100 })).data
}

export const webhookSignature = (payload: string, secret: string) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret })

/** Connects and logs in as notification does. Throws what the server refuses. */
export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport({ url: withTls(smtpUrl), connectionTimeout: 10_000, greetingTimeout: 10_000 })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const isNoBackup = (name: string) => name.startsWith('.') || name === 'lost+found' || name.endsWith('.unfinished')

/** When a file or folder was changed, ms since 1970; 0 where it is empty, as after a backup that failed at once. */
async function timeOf(path: string): Promise<number> {
  const found = await stat(path)
  const isEmpty = found.isDirectory() ? (await readdir(path)).length === 0 : found.size === 0
  return isEmpty ? 0 : found.mtimeMs
}

export const folders: Folders = {
  newest: async (folder) => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => !isNoBackup(name))
    const times = await Promise.all(names.map((name) => timeOf(join(folder, name))))
    return times.some((time) => time > 0) ? Math.max(...times) : null
  },
  device: async (folder) => (await stat(folder)).dev,
}
