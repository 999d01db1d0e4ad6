import { setTimeout as sleep } from 'node:timers/promises'
import {
  ContractFactory,
  getCreateAddress,
  Interface,
  isError,
  type JsonRpcProvider,
  Wallet,
  ZeroAddress,
} from 'ethers'
import bytecode from '../solidity/bytecode.json' with { type: 'json' }
import { collectionAbi, deliveryAbi } from './abi.ts'
import { collectionAt, deliveryAt } from './contract.ts'
import { confirmChain } from './provider.ts'
import type { ContractSettings } from './settings.ts'

export type Deployment = {
  collection: string
  delivery: string
  /** The block of the first contract, where the index starts. 0 when the node has no state of earlier blocks. */
  fromBlock: number
  /** Encoded, 0x-prefixed: what an explorer asks for beside the sources. */
  constructorArguments: Record<keyof typeof abis, string>
}

const abis = { NiftyCollection: collectionAbi, NiftyDelivery: deliveryAbi }
const POLL_MS = 100
const MINED_WITHIN_MS = 300_000

/**
 * Deploys both contracts and resolves when both are in a block. `baseUri` is the URL of the token metadata without a
 * trailing slash (`https://…/api/tokens`); the collection's address is appended. `contractUri` is the URL of the
 * collection's metadata (ERC-7572), by default the same without a token. The owner (by default the deployer) adds and
 * removes signers; signers mint and deliver.
 *
 * Idempotent: the deployer key sends no other transactions, so its nonces 0 and 1 determine both addresses. A repeated
 * or concurrent call continues where the first one stopped and returns the same. Throws where the contracts that are
 * there were deployed under another name, symbol or contractURI.
 */
export async function deployContracts({
  provider,
  deployerKey,
  signers,
  ownerAddress,
  baseUri,
  contractUri,
  settings,
}: {
  provider: JsonRpcProvider
  deployerKey: string
  signers: string[]
  ownerAddress?: string
  baseUri: string
  contractUri?: string
  settings: ContractSettings
}): Promise<Deployment> {
  await confirmChain(provider)
  const deployer = new Wallet(deployerKey, provider)
  const owner = ownerAddress ?? deployer.address
  const [collection, delivery] = [0, 1].map((nonce) => getCreateAddress({ from: deployer.address, nonce })) as [
    string,
    string,
  ]

  const argumentsOf = {
    NiftyCollection: [
      owner,
      signers,
      settings.mintsPerHour,
      settings.name,
      settings.symbol,
      `${baseUri}/${collection}/`,
      contractUri ?? `${baseUri}/${collection}`,
    ],
    NiftyDelivery: [owner, signers, [collection], settings.movesPerHour, ZeroAddress],
  }
  const before = await provider.getBlockNumber()
  const first = await ensureContract(deployer, {
    name: 'NiftyCollection',
    nonce: 0,
    address: collection,
    args: argumentsOf.NiftyCollection,
  })
  await confirmNaming(collectionAt(collection, provider), {
    name: settings.name,
    symbol: settings.symbol,
    contractURI: contractUri ?? `${baseUri}/${collection}`,
  })
  await ensureContract(deployer, {
    name: 'NiftyDelivery',
    nonce: 1,
    address: delivery,
    args: argumentsOf.NiftyDelivery,
  })

  const contracts = [collectionAt(collection, provider), deliveryAt(delivery, provider)]
  for (const signer of signers)
    if ((await Promise.all(contracts.map((contract) => contract.isSigner(signer)))).includes(false))
      throw new Error(
        `This key has deployed ${collection} and ${delivery}, whose signers do not include ${signer}. Their owner may add it (addSigner); new contracts need a new key.`,
      )
  const atLeast = first === 'created' ? before : 0
  const fromBlock = await firstBlockOf(provider, collection, atLeast).catch(() => atLeast)
  const encoded = (name: keyof typeof abis) => new Interface(abis[name]).encodeDeploy(argumentsOf[name])
  const constructorArguments = { NiftyCollection: encoded('NiftyCollection'), NiftyDelivery: encoded('NiftyDelivery') }
  return { collection, delivery, fromBlock, constructorArguments }
}

/**
 * Deploys a delivery contract that takes the custody of `delivery` over, and returns its address. Idempotent like
 * `deployContracts`: its deployer key sends no other transaction. It moves nothing: the owner of `delivery` announces
 * the hand-over.
 */
export async function deploySuccessor({
  provider,
  deployerKey,
  signers,
  ownerAddress,
  collection,
  delivery,
  movesPerHour,
}: {
  provider: JsonRpcProvider
  deployerKey: string
  signers: string[]
  ownerAddress: string
  collection: string
  delivery: string
  movesPerHour: number
}): Promise<string> {
  await confirmChain(provider)
  const deployer = new Wallet(deployerKey, provider)
  const address = getCreateAddress({ from: deployer.address, nonce: 0 })
  await ensureContract(deployer, {
    name: 'NiftyDelivery',
    nonce: 0,
    address,
    args: [ownerAddress, signers, [collection], movesPerHour, delivery],
  })
  return address
}

type Naming = Record<'name' | 'symbol' | 'contractURI', string>

/** An earlier call, whose transaction may still have been pending, decides. */
async function confirmNaming(collection: ReturnType<typeof collectionAt>, wanted: Naming) {
  const fields = Object.keys(wanted) as (keyof Naming)[]
  const found = await Promise.all(fields.map((field) => collection[field]() as Promise<string>))
  const differences = fields.flatMap((field, at) =>
    found[at] === wanted[field] ? [] : [`${field} is "${found[at]}", not "${wanted[field]}"`],
  )
  if (differences.length > 0)
    throw new Error(
      `This key has deployed ${await collection.getAddress()}, whose ${differences.join(', ')}. Its owner may change the contractURI only; new contracts need a new key.`,
    )
}

type Wanted = { name: keyof typeof abis; nonce: number; address: string; args: unknown[] }

/** Deploys a contract by the transaction with this nonce, unless that has happened. */
async function ensureContract(deployer: Wallet, { name, nonce, address, args }: Wanted): Promise<'created' | 'found'> {
  const provider = deployer.provider as JsonRpcProvider
  const isDeployed = async () => (await provider.getCode(address)) !== '0x'
  const isUsed = async () => (await provider.getTransactionCount(deployer.address, 'latest')) > nonce
  // In this order: a transaction that is mined between the two is that of the contract.
  const wasUsed = await isUsed()
  if (await isDeployed()) return 'found'
  if (wasUsed) throw new Error(`${deployer.address} has sent other transactions. Deploy with a new key.`)

  await new ContractFactory(abis[name], bytecode[name], deployer).deploy(...args, { nonce }).catch((error: unknown) => {
    if (isError(error, 'INSUFFICIENT_FUNDS')) throw new Error(`${deployer.address} has insufficient funds for the gas`)
    if (!isPending(error)) throw error
  })
  for (let waited = 0; !(await isUsed()); waited += POLL_MS) {
    if (waited > MINED_WITHIN_MS)
      throw new Error(`${name} is broadcast and in no block yet. Run the command again to continue.`)
    await sleep(POLL_MS)
  }
  if (!(await isDeployed()))
    throw new Error(`${name} could not be deployed: its transaction failed. Deploy with a new key.`)
  return 'created'
}

/** An earlier broadcast of the same transaction is pending or mined. */
const isPending = (error: unknown) =>
  isError(error, 'REPLACEMENT_UNDERPRICED') ||
  isError(error, 'NONCE_EXPIRED') ||
  /already known|already imported/i.test(String(error))

/** Binary search over the state of earlier blocks, which not every node keeps. */
async function firstBlockOf(provider: JsonRpcProvider, address: string, atLeast: number): Promise<number> {
  let [low, high] = [atLeast, await provider.getBlockNumber()]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await provider.getCode(address, middle)) === '0x') low = middle + 1
    else high = middle
  }
  return low
}
