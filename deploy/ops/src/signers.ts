import { age } from '@nifty/api/age'
import { listSigners, type SignerStatus, setSignerState } from '@nifty/api/minting/ops'
import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import { awsKmsAddress } from '@nifty/contracts/signing/aws-kms-key'
import { awsKmsSetting } from '@nifty/contracts/signing/key-setting'
import { Wallet } from 'ethers'
import { type Command, type OperatorAction, parseAddress, type Report } from './command.ts'
import { table } from './format.ts'
import { asOwner } from './owner-transactions.ts'
import { NoResponse, type Store } from './store.ts'

/** `add` and `remove` send transactions of the contracts' owner. Its key is read here only, never by a service. */
export const signerCommands: Record<string, Command> = {
  'signers list': {
    usage: '',
    about: 'lists the signers, with their roles on the chain',
    json: true,
    run: async (store) => {
      const { signers } = await store.minting(listSigners)
      return { text: listed(signers), ok: true, json: signers }
    },
  },
  'signers generate': {
    usage: '',
    about: 'makes a key for a signer and prints it with its address; stores nothing and needs no store',
    run: async () => {
      const { privateKey, address } = Wallet.createRandom()
      return `CHAIN_SIGNER_KEY=${privateKey}\n# Its address: ${address}. Send gas money there. Contracts that exist need \`pnpm ops signers add ${address}\`, 48 hours before it is to sign.`
    },
  },
  'signers kms': {
    usage: '<key>',
    about: 'prints CHAIN_SIGNER_KEY and the address of a key of AWS KMS: an id, ARN or alias; needs no store',
    run: async (_store, [keyId]) => {
      const address = await awsKmsAddress(keyId!)
      return `CHAIN_SIGNER_KEY=${awsKmsSetting(address, keyId!)}\n# Its address: ${address}.`
    },
  },
  'signers add': {
    usage: '<address>',
    about:
      'gives a signer its role on both contracts with CHAIN_OWNER_KEY, after 48 hours once works exist, and lets it sign',
    changes: 'audited',
    run: async (store, [address], action) => {
      const signer = parseAddress(address!)
      const { signers, ...chain } = await store.minting(listSigners)
      if (signers.some((known) => known.address === signer && known.state === 'retired'))
        throw new Error(`${signer} is retired: what it signed would be valid again. Use a new key.`)
      const from = await addRoles(chain, signer)
      await store.minting(setSignerState, { body: { address: signer, state: 'active', ...action } })
      if (from) return `${signer} is announced: it is a signer from ${from.toISOString()} on, without another command.`
      return `${signer} is a signer of both contracts, and active. It signs once its key is in CHAIN_SIGNER_KEY.`
    },
  },
  'signers drain': {
    usage: '<address>',
    about: 'a signer signs nothing new; its open transactions are followed to their end',
    changes: 'audited',
    run: async (store, [address], action) => {
      const signer = parseAddress(address!)
      await store.minting(setSignerState, { body: { address: signer, state: 'draining', ...action } })
      const { signers } = await store.minting(listSigners)
      const open = signers.find((known) => known.address === signer)?.openTransactions ?? 0
      const then = isAnotherActive(signers, signer)
        ? `To replace its key: at 0, run \`pnpm ops signers remove ${signer}\`.`
        : `NO OTHER SIGNER IS ACTIVE: purchases are refused and deliveries wait until \`pnpm ops signers add\` of this or another address.`
      return `${signer} signs nothing new. Open transactions: ${open}. ${then}`
    },
  },
  'signers remove': {
    usage: '<address>',
    about: 'takes a signer its role on both contracts with CHAIN_OWNER_KEY; others then deliver its unmined work',
    changes: 'audited',
    run: async (store, [address], action) => remove(store, parseAddress(address!), action),
  },
}

/** Works without the store, if the contracts' addresses are set: a stolen key is removed first of all. */
async function remove(store: Store, signer: string, action: OperatorAction): Promise<Report> {
  await removeRoles(await contractsOf(store), signer)
  const removed = `${signer} is a signer of neither contract.`
  try {
    await store.minting(setSignerState, { body: { address: signer, state: 'draining', ...action } })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { text: `${removed} Minting was not told, and finds it out from the chain: ${why}`, ok: true }
  }
  const { signers } = await store.minting(listSigners)
  const then = isAnotherActive(signers, signer)
    ? 'Once that is final, it is retired and others sign its unmined work.'
    : 'NO OTHER SIGNER IS ACTIVE: deliveries wait until `pnpm ops signers add` of the stand-by and a restart with its key.'
  return { text: `${removed} ${then}`, ok: true }
}

const isAnotherActive = (signers: SignerStatus[], signer: string) =>
  signers.some(({ state, address }) => state === 'active' && address !== signer)

type Contracts = { chainId: number; collection: string; delivery: string }

async function contractsOf(store: Store): Promise<Contracts> {
  const { CHAIN_COLLECTION: collection, CHAIN_DELIVERY: delivery, CHAIN_ID } = process.env
  if (collection && delivery && CHAIN_ID) return { collection, delivery, chainId: Number(CHAIN_ID) }
  return store.minting(listSigners).catch((error) => {
    if (!(error instanceof NoResponse)) throw error
    throw new Error(`${error.message} Without it, set CHAIN_ID, CHAIN_COLLECTION and CHAIN_DELIVERY.`)
  })
}

type Contract = ReturnType<typeof deliveryAt> | ReturnType<typeof collectionAt>

/** Runs `use` with each contract in turn. */
async function onEach<Result>(
  { chainId, collection, delivery }: Contracts,
  use: (contract: Contract, owner: Parameters<Parameters<typeof asOwner<Result>>[2]>[0]) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const connect of [(by: Wallet) => deliveryAt(delivery, by), (by: Wallet) => collectionAt(collection, by)])
    results.push(await asOwner(chainId, connect, (owner) => use(connect(owner.wallet), owner)))
  return results
}

/**
 * Adds a signer to each contract of which it is none, and resolves when that is in a block. Returns from when on it is
 * a signer of both; undefined when it is now.
 */
async function addRoles(contracts: Contracts, signer: string): Promise<Date | undefined> {
  const waiting = await onEach(contracts, async (contract, { send }) => {
    if ((await contract.signerFrom(signer)) === 0n) await send(contract.addSigner(signer))
    return (await contract.isSigner(signer)) ? 0 : Number(await contract.signerFrom(signer))
  })
  const from = Math.max(...waiting)
  return from > 0 ? new Date(from * 1000) : undefined
}

/** Removes a signer, or its announcement, from each contract that has it, and resolves when that is in a block. */
const removeRoles = (contracts: Contracts, signer: string) =>
  onEach(contracts, async (contract, { send }) => {
    if ((await contract.signerFrom(signer)) !== 0n) await send(contract.removeSigner(signer))
  })

function listed(signers: SignerStatus[]): string {
  if (signers.length === 0) return 'There is no signer yet.'
  const rows = signers.map((signer) => [
    signer.address,
    signer.haltedReason ? 'halted' : signer.state,
    signer.keyConfigured ? 'configured' : 'no key',
    roleText(signer.roles),
    String(signer.openTransactions),
    signer.oldestOpen ? age(signer.oldestOpen) : '',
    signer.balance ? String(Math.floor(signer.balance.deliveriesLeft)) : '?',
    signer.haltedReason ?? '',
  ])
  return table([['signer', 'state', 'key', 'roles', 'open', 'oldest', 'gas: deliveries', 'halted by'], ...rows])
}

function roleText(roles: SignerStatus['roles']): string {
  if (!roles) return '?'
  if (roles.collection && roles.delivery) return 'both'
  if (!roles.collection && !roles.delivery) return 'none'
  return roles.collection ? 'collection only' : 'delivery only'
}
