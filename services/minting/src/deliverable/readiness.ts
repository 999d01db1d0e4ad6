import type { IntendedRefusal } from '@nifty/api/intended-refusals'
import { unavailable } from '@nifty/service-kit/base/errors'
import type { Sender } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { readChainState } from '../chain-transactions/chain-state.ts'
import { readOpenCost } from '../chain-transactions/chain-transaction.store.ts'
import { configuredSigners, withRoles } from '../chain-transactions/choose-signer.ts'
import { gasReserve } from '../deliveries/delivery-gas.ts'

/**
 * Returns a check that throws 503 while the chain, its finality or the index is late, the base fee is above the cap,
 * no signer may sign, or while their balances together are below the gas reserve for so many more deliveries, and
 * that returns the one with the largest balance as the sender of simulations. Purchases that start within one poll of
 * the chain share what was read for the first: six RPC calls and three statements.
 */
export function createReadinessCheck(context: ChainContext) {
  const { log, settings } = context
  let shared: { until: number; reading: ReturnType<typeof readSigners> } | undefined

  function signers() {
    if (shared && performance.now() < shared.until) return shared.reading
    const reading = readSigners(context)
    shared = { until: performance.now() + settings.pollMs, reading }
    reading.catch(() => {
      shared = undefined
    })
    return reading
  }

  return async (lines: number): Promise<Sender> => {
    const { chain, sender, balance, openCost, waiting } = await signers()
    if (chain.refusal) {
      shared = undefined
      log.error({ alarm: chain.refusal, ...chain }, 'the chain would not deliver now, refusing new purchases')
      throw unavailableNow(chain.refusal === 'fee_cap' ? 'fee_cap' : 'chain_late')
    }
    if (balance >= gasReserve(openCost, waiting + lines, sender.maxFeePerGas)) return sender
    shared = undefined
    log.error(
      { alarm: 'gas_low', balance: String(balance) },
      'balance of the signers below the gas reserve, refusing new purchases',
    )
    throw unavailableNow('gas_low')
  }
}

/** The state of the chain; balance, cost and fees in wei. */
async function readSigners(context: ChainContext) {
  const { db, node } = context
  const usable = await withRoles(context, await configuredSigners(context))
  const addresses = usable.map(({ signer }) => signer.address)
  if (addresses.length === 0) throw unavailableNow('signer_halted')
  const [chain, balances, { maxFeePerGas, maxPriorityFeePerGas }, { openCost, waiting }] = await Promise.all([
    readChainState(context),
    Promise.all(addresses.map((address) => node.balance(address))),
    node.fees(),
    readOpenCost(db, addresses),
  ])
  const richest = balances.reduce((best, each, at) => (each > balances[best]! ? at : best), 0)
  const sender: Sender = { address: addresses[richest]!, maxFeePerGas, maxPriorityFeePerGas }
  return { chain, sender, balance: balances.reduce((sum, each) => sum + each, 0n), openCost, waiting }
}

/** A code that is not counted as an error: `intendedRefusals`. */
export const unavailableNow = (code: IntendedRefusal) => unavailable(code, 'Payments are temporarily unavailable')
