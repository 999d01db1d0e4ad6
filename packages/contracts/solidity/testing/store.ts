import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { atEnd } from '@nifty/dev-servers/at-end'
import { type Contract, ContractFactory, type ContractMethod, hexlify, randomBytes, toQuantity, Wallet } from 'ethers'
import { expect } from 'vitest'
import { type Call, deliverCall, mintCall } from '../../src/calls.ts'
import { compileContracts } from '../../src/compile.ts'
import { collectionAt, deliveryAt } from '../../src/contract.ts'
import { deployContracts } from '../../src/deploy.ts'
import { keyOf } from '../../src/keys.ts'
import { type ChainEvent, parseChainLog } from '../../src/log.ts'
import { permitTypedData, type SignedPermit } from '../../src/permit.ts'
import { connectChain } from '../../src/provider.ts'
import { revertOf } from '../../src/revert.ts'
import { LOCAL_SETTINGS } from '../../src/settings.ts'
import { pollReceipts } from '../../src/testing/poll-receipts.ts'

/** Shared by all test files, so that the recipients are compiled once. */
const cacheDir = join(tmpdir(), 'nifty-contracts')

/** `DELAY` of the contracts. */
export const DELAY_SECONDS = 48 * 3600

/** Functions of the contracts in `Recipients.sol`. */
type Prepared = 'prepare' | 'act' | 'succeeded' | 'answer'

export const newKey = () => keyOf(randomUUID())

/** What the mints of these tests commit to. */
export const work = { imageSha256: `0x${'ab'.repeat(32)}`, name: 'Dusk' }
export type Store = Awaited<ReturnType<typeof startStore>>

/** Both contracts on a chain of their own, with an owner and a signer, until the test or its file ends. */
export async function startStore() {
  const chain = await startAnvil({ blocks: 'by-transaction' })
  const provider = connectChain({ rpcUrl: chain.url })
  pollReceipts(provider)
  atEnd(async () => {
    provider.destroy()
    await chain.stop()
  })

  const newWallet = async () => {
    const wallet = new Wallet(hexlify(randomBytes(32)), provider)
    await provider.send('anvil_setBalance', [wallet.address, toQuantity(10n ** 20n)])
    return wallet
  }
  const [owner, signer] = [await newWallet(), await newWallet()]
  const { collection, delivery } = await deployContracts({
    provider,
    deployerKey: owner.privateKey,
    signers: [signer.address],
    baseUri: 'https://nifty.test/api/tokens',
    settings: LOCAL_SETTINGS,
  })

  const send = async (call: Call & { gasLimit?: bigint }, from = signer) => {
    const receipt = (await (await from.sendTransaction(call)).wait())!
    const events = receipt.logs.flatMap((log) => parseChainLog(log, { collection, delivery }) ?? [])
    return { events, gasUsed: Number(receipt.gasUsed), logs: receipt.logs }
  }
  const mint = async (to: string, account?: string) => {
    const { events } = await send(mintCall(collection, { mintId: newKey(), to, account, ...work }))
    return events.find((event) => event.name === 'minted')!.id
  }

  async function signPermit(
    wallet: Wallet,
    tokenId: bigint,
    changes: Partial<Parameters<typeof permitTypedData>[0]> = {},
  ): Promise<SignedPermit> {
    const nonce = await collectionAt(collection, provider).nonces(tokenId)
    const deadline = (await provider.getBlock('latest'))!.timestamp + 3600
    const { name } = LOCAL_SETTINGS
    const all = { name, chainId: 31337, collection, delivery, tokenId, nonce, deadline, ...changes }
    const { domain, types, message } = permitTypedData(all)
    const signature = await wallet.signTypedData(domain, { Permit: types.Permit }, message)
    return { deadline: all.deadline, signature }
  }

  return {
    provider,
    owner,
    signer,
    newWallet,
    send,
    collectionAs: (wallet: Wallet) => collectionAt(collection, wallet),
    deliveryAs: (wallet: Wallet) => deliveryAt(delivery, wallet),
    collection: collectionAt(collection, provider),
    delivery: deliveryAt(delivery, provider),
    addresses: { collection, delivery },
    /** 48 hours pass: what the contracts delay is due. */
    passDelay: async () => {
      await provider.send('evm_increaseTime', [DELAY_SECONDS])
      await provider.send('anvil_mine', [])
    },
    mintTo: (wallet: string) => mint(wallet),
    mintIntoCustody: (account: string) => mint(delivery, account),
    /** Puts a contract of `Recipients.sol` on the chain. */
    deployRecipient: async (name: string, ...args: unknown[]) => {
      const { abi, bytecode } = (await compileContracts({ cacheDir, sources: ['testing/Recipients.sol'] }))[name]!
      const contract = await new ContractFactory(abi, bytecode, owner).deploy(...args)
      await contract.deploymentTransaction()!.wait()
      return contract as Contract & Record<Prepared, ContractMethod>
    },
    /** A delivery out of a wallet into custody for the account, as a signer's line. */
    bringBack: async (wallet: Wallet, id: bigint, account: string) => {
      const from = { wallet: wallet.address, permit: await signPermit(wallet, id) }
      return send(deliverCall(delivery, { lineId: newKey(), token: collection, id, to: { account }, from }))
    },
    /** A permit for the delivery contract, right in every respect but for what is changed. */
    signPermit,
  }
}

/**
 * Expects the call to revert with this error. Evaluate `args` before the call starts: its rejection needs a handler at
 * once.
 */
export async function expectRevert(attempt: Promise<unknown>, name: string, args: Record<string, string> = {}) {
  const revert = await attempt.then(
    () => ({ name: 'nothing: it worked' }),
    (error) => revertOf(error) ?? Promise.reject(error),
  )
  expect(revert).toMatchObject(Object.keys(args).length > 0 ? { name, args } : { name })
}

export const named = <Name extends ChainEvent['name']>(events: ChainEvent[], name: Name) =>
  events.filter((event): event is Extract<ChainEvent, { name: Name }> => event.name === name)
