import { writeFile } from 'node:fs/promises'
import { getTokenMetadata } from '@nifty/api/minting/public'
import { StoreName } from '@nifty/api/store'
import { deployContracts } from '@nifty/contracts/deploy'
import { connectChain } from '@nifty/contracts/provider'
import { DEFAULT_LIMITS, type HourlyLimits, MAX_NAME_BYTES } from '@nifty/contracts/settings'
import { computeAddress } from 'ethers'
import { Value } from 'typebox/value'
import { type Command, parseAddress } from './command.ts'
import { UsageError } from './store.ts'

export const POLYGON = 137
/** The entries of a batch: a lower limit would revert every full one. */
const LEAST: HourlyLimits = { movesPerHour: 20, mintsPerHour: 40 }

/** Needs no store: its output configures a store on a public chain. */
export const contractCommands: Record<string, Command> = {
  'contract-sources': {
    usage: '<file>',
    about: 'writes the sources of the contracts as an explorer verifies them (standard JSON input); from a clone',
    run: async (_store, [file = '']) => {
      if (!file.endsWith('.json')) throw new UsageError('Name the file to write: <file>.json')
      const { verificationInput } = await import('@nifty/contracts/verification')
      const input = verificationInput()
      await writeFile(file, `${JSON.stringify(input, null, 2)}\n`)
      return `${file}: ${Object.keys(input.sources).length} sources. \`deploy-contracts\` prints the constructor arguments.`
    },
  },
  'deploy-contracts': {
    usage: '<name> <symbol> <base uri> <signer addresses>',
    about:
      'deploys the contracts to CHAIN_RPC_URL with CHAIN_DEPLOYER_KEY, and prints the settings; the last signer is the stand-by',
    changes: 'unaudited',
    run: async (_store, args) => {
      const [name, symbol, uri, addresses] = args as [string, string, string, string]
      const isName = Value.Check(StoreName, name) && Buffer.byteLength(name) <= MAX_NAME_BYTES
      if (!isName || !/^[A-Z0-9]{1,11}$/.test(symbol))
        throw new UsageError(
          'Wallets show name and symbol for ever: the name is one line of visible characters, at most 31 bytes, the symbol has 1 to 11 capitals or digits',
        )
      const baseUri = uri.replace(/\/+$/, '')
      if (!isBaseUri(baseUri))
        throw new UsageError('The base uri is the URL of token metadata: https://<your store>/api/tokens')
      const { rpcUrl, chainId, deployerKey, limits } = readChain(process.env)
      const signers = parseSigners(addresses, deployerKey)
      const contractUri = process.env.CHAIN_CONTRACT_URI || undefined
      if (contractUri !== undefined && !/^[a-z][a-z0-9+.-]*:[!-~]+$/.test(contractUri))
        throw new UsageError('CHAIN_CONTRACT_URI is not a URL')

      const provider = connectChain({ rpcUrl, chainId })
      try {
        const settings = { name, symbol, ...limits }
        const contracts = await deployContracts({ provider, deployerKey, signers, baseUri, contractUri, settings })
        return [
          `CHAIN_COLLECTION=${contracts.collection}`,
          `CHAIN_DELIVERY=${contracts.delivery}`,
          `CHAIN_FROM_BLOCK=${contracts.fromBlock}`,
          ...(contracts.fromBlock === 0
            ? ['# The node has no history. Use any block before the first contract; indexing from 0 takes long.']
            : []),
          `WALLET_DENY_LIST=${[...signers, contracts.collection, contracts.delivery].join(',')}`,
          ...Object.entries(contracts.constructorArguments).map(
            ([name, encoded]) => `# Constructor arguments of ${name}, to verify its source: ${encoded.slice(2)}`,
          ),
        ].join('\n')
      } finally {
        provider.destroy()
      }
    },
  },
}

/** Contract and token id are appended on the chain. */
const TOKENS_PATH = getTokenMetadata.path.replace('/:contract/:identifier', '')

/** The store's own path on an origin with TLS; without TLS only on this machine and in its own network. */
function isBaseUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, origin, hostname } = new URL(uri)
  const isLocal = /^(\[::1\]|127(\.\d+){3}|[^.:[\]]+)$/.test(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && uri === origin + TOKENS_PATH
}

/**
 * The addresses of signers, separated by commas. A signer that is added later waits 48 hours, so one of them is a
 * stand-by for the day when a key is stolen.
 */
export function parseSigners(text: string, deployerKey: string): string[] {
  const signers = [...new Set(text.split(',').map(parseAddress))]
  if (signers.length < 2)
    throw new UsageError(
      'Name at least two signers, separated by commas: the last is a stand-by, its key lies elsewhere',
    )
  if (signers.includes(computeAddress(deployerKey)))
    throw new UsageError('The deployer owns the contracts: use a key of its own, and keep it offline afterwards')
  return signers
}

export function readChain(env: NodeJS.ProcessEnv) {
  const { CHAIN_RPC_URL, CHAIN_DEPLOYER_KEY, CHAIN_ID } = env
  if (!CHAIN_RPC_URL || !CHAIN_DEPLOYER_KEY) throw new UsageError('CHAIN_RPC_URL and CHAIN_DEPLOYER_KEY must be set')
  if (!/^0x[0-9a-fA-F]{64}$/.test(CHAIN_DEPLOYER_KEY))
    throw new UsageError('CHAIN_DEPLOYER_KEY is not a private key: 0x and 64 hex digits')
  const chainId = CHAIN_ID ? Number(CHAIN_ID) : POLYGON
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new UsageError('CHAIN_ID is a whole number, such as 137')
  const limits: HourlyLimits = {
    movesPerHour: readLimit(env, 'CHAIN_MOVES_PER_HOUR', 'movesPerHour'),
    mintsPerHour: readLimit(env, 'CHAIN_MINTS_PER_HOUR', 'mintsPerHour'),
  }
  return { rpcUrl: CHAIN_RPC_URL, deployerKey: CHAIN_DEPLOYER_KEY, chainId, limits }
}

function readLimit(env: NodeJS.ProcessEnv, variable: string, limit: keyof HourlyLimits): number {
  const value = env[variable] ? Number(env[variable]) : DEFAULT_LIMITS[limit]
  if (!Number.isSafeInteger(value) || value < LEAST[limit])
    throw new UsageError(`${variable} is a whole number from ${LEAST[limit]}, the entries of a batch`)
  return value
}
