import { setTimeout as sleep } from 'node:timers/promises'
import { ContractFactory, getCreateAddress, isError, type JsonRpcProvider, Wallet } from 'ethers'
import bytecode from '../../solidity/bytecode.json' with { type: 'json' }
import { collectionAbi, deliveryAbi } from './abi.ts'
import { collectionAt, deliveryAt } from './contract.ts'
import { confirmChain } from './provider.ts'

export type Deployment = {
  collection: string
  delivery: string
  /** No block before it has anything of ours: an index of the chain starts here. 0 when the node cannot tell. */
  fromBlock: number
}

const abis = { NiftyCollection: collectionAbi, NiftyDelivery: deliveryAbi }
const LOOK_EVERY_MS = 100
const IN_A_BLOCK_WITHIN_MS = 300_000

/**
 * Puts both contracts on the chain and ties them together; answers when both are in a block.
 * `baseUri` is where token metadata is answered, without a final slash (`https://…/api/tokens`); the contract's own
 * address is added to it. The owner (the deployer, unless named) appoints signers later; the signer mints and delivers.
 *
 * The deployer's key does nothing else, so its first transaction is the collection and its second the delivery, at
 * addresses that are known beforehand. Whatever of it is done already is left: called again, by anybody at any moment,
 * it goes on where it was and answers the same.
 */
export async function deployContracts({
  provider,
  deployerKey,
  signerAddress,
  ownerAddress,
  baseUri,
}: {
  provider: JsonRpcProvider
  deployerKey: string
  signerAddress: string
  ownerAddress?: string
  baseUri: string
}): Promise<Deployment> {
  await confirmChain(provider)
  const deployer = new Wallet(deployerKey, provider)
  const owner = ownerAddress ?? deployer.address
  const [collection, delivery] = [0, 1].map((nonce) => getCreateAddress({ from: deployer.address, nonce })) as [
    string,
    string,
  ]

  const before = await provider.getBlockNumber()
  const first = await ensureContract(deployer, {
    ...{ name: 'NiftyCollection', nonce: 0, address: collection },
    args: [owner, signerAddress, `${baseUri}/${collection}/`],
  })
  await ensureContract(deployer, {
    ...{ name: 'NiftyDelivery', nonce: 1, address: delivery },
    args: [owner, signerAddress, [collection]],
  })

  const accepted = await Promise.all([
    collectionAt(collection, provider).isSigner(signerAddress),
    deliveryAt(delivery, provider).isSigner(signerAddress),
  ])
  if (accepted.includes(false))
    throw new Error(
      `This key has deployed ${collection} and ${delivery}, and they do not know the signer ${signerAddress}. Their owner may add it (addSigner); for new contracts take a new key.`,
    )
  const atLeast = first === 'made' ? before : 0
  const fromBlock = await firstBlockOf(provider, collection, atLeast).catch(() => atLeast)
  return { collection, delivery, fromBlock }
}

type Wanted = { name: keyof typeof abis; nonce: number; address: string; args: unknown[] }

/** Makes a contract with the transaction of that number, unless that was done before. */
async function ensureContract(deployer: Wallet, { name, nonce, address, args }: Wanted): Promise<'made' | 'found'> {
  const provider = deployer.provider as JsonRpcProvider
  const isThere = async () => (await provider.getCode(address)) !== '0x'
  const isUsed = async () => (await provider.getTransactionCount(deployer.address, 'latest')) > nonce
  if (await isThere()) return 'found'
  if (await isUsed())
    throw new Error(`${deployer.address} was used for something else. Take a new key that does nothing but this.`)

  await new ContractFactory(abis[name], bytecode[name], deployer).deploy(...args, { nonce }).catch((error: unknown) => {
    if (isError(error, 'INSUFFICIENT_FUNDS')) throw new Error(`${deployer.address} has not enough money for the gas`)
    if (!isUnderWay(error)) throw error
  })
  for (let waited = 0; !(await isUsed()); waited += LOOK_EVERY_MS) {
    if (waited > IN_A_BLOCK_WITHIN_MS) throw new Error(`${name} is sent and in no block yet. Ask again to go on.`)
    await sleep(LOOK_EVERY_MS)
  }
  if (!(await isThere())) throw new Error(`${name} could not be made. Take a new key: this one's address is used up.`)
  return 'made'
}

/** An earlier attempt of the same transaction waits for a block, or has just got into one. */
const isUnderWay = (error: unknown) =>
  isError(error, 'REPLACEMENT_UNDERPRICED') ||
  isError(error, 'NONCE_EXPIRED') ||
  /already known|already imported/i.test(String(error))

/** Asks what was there at earlier blocks, which not every node remembers. */
async function firstBlockOf(provider: JsonRpcProvider, address: string, atLeast: number): Promise<number> {
  let [low, high] = [atLeast, await provider.getBlockNumber()]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await provider.getCode(address, middle)) === '0x') low = middle + 1
    else high = middle
  }
  return low
}
