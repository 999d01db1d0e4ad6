import type { SignerStatus } from '@nifty/api/minting/ops'
import { within } from '@nifty/service-kit/base/within'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { deliveriesPerHour, openTransactions } from '../chain-transactions/chain-transaction.store.ts'
import { listSigners, type SignerRow } from '../chain-transactions/signer.store.ts'
import { deliveriesLeft, hoursLeft } from '../deliveries/delivery-gas.ts'

/** An operator sees the rest of the state without what the chain has not returned in this time. */
export const CHAIN_WITHIN_MS = 3_000

/** All signers of the store, also those whose key is not configured. */
export async function readSigners(context: ChainContext): Promise<SignerStatus[]> {
  const rows = await listSigners(context.db)
  return Promise.all(rows.map((row) => readSigner(context, row)))
}

async function readSigner(context: ChainContext, row: SignerRow): Promise<SignerStatus> {
  const { address, state, nextNonce, haltedReason, haltedAt } = row
  const [open, perHour, chain] = await Promise.all([
    openTransactions(context.db, address),
    deliveriesPerHour(context.db, address),
    within(CHAIN_WITHIN_MS, readChain(context, address)).catch(() => undefined),
  ])
  const left = chain && deliveriesLeft(chain.balance, chain.maxFeePerGas)
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
    balance:
      chain && left !== undefined
        ? { wei: String(chain.balance), deliveriesLeft: left, hoursLeft: hoursLeft(left, perHour) }
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
