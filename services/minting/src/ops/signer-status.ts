import type { SignerStatus } from '@nifty/api/minting/ops'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { openTransactions } from '../chain-transactions/chain-transaction.store.ts'
import { listSigners, type SignerRow } from '../chain-transactions/signer.store.ts'
import { deliveriesLeft } from '../deliveries/delivery-gas.ts'

/** All signers of the store, also those whose key is not configured. */
export async function readSigners(context: ChainContext): Promise<SignerStatus[]> {
  const found: SignerStatus[] = []
  for (const row of await listSigners(context.db)) found.push(await readSigner(context, row))
  return found
}

async function readSigner(context: ChainContext, row: SignerRow): Promise<SignerStatus> {
  const { address, state, nextNonce, haltedReason, haltedAt } = row
  const open = await openTransactions(context.db, address)
  const chain = await readChain(context, address).catch(() => undefined)
  return {
    address,
    state,
    nextNonce,
    haltedReason,
    keyConfigured: context.signers.find(address) !== undefined,
    haltedAt: haltedAt?.toISOString() ?? null,
    chainNonce: chain?.nonce ?? null,
    nonceGap: chain ? nextNonce - chain.nonce : null,
    openTransactions: open.length,
    oldestOpen: open[0]?.signedAt.toISOString() ?? null,
    roles: chain?.roles ?? null,
    balance: chain
      ? { wei: String(chain.balance), deliveriesLeft: deliveriesLeft(chain.balance, chain.maxFeePerGas) }
      : null,
  }
}

async function readChain({ node }: ChainContext, address: string) {
  const head = (await node.blockAt('latest'))!
  const [nonce, balance, fees, roles] = await Promise.all([
    node.nonceAt(address, 'latest'),
    node.balance(address),
    node.fees(),
    node.rolesOf(address, head.number),
  ])
  return { nonce, balance, roles, maxFeePerGas: fees.maxFeePerGas }
}
