import { unavailable } from '@nifty/service-kit/base/errors'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { readOpenCost } from '../chain-transactions/chain-transaction.store.ts'
import { configuredSigners, withRoles } from '../chain-transactions/choose-signer.ts'
import { gasReserve } from '../deliveries/delivery-gas.ts'

/**
 * Returns a check that throws 503 while no signer may sign, or while their balances together are below the gas reserve
 * for so many more deliveries, and that returns the address of one of them. Purchases that start within one poll of the
 * chain share what was read for the first: four RPC calls and two statements.
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

  return async (lines: number): Promise<string> => {
    const { first, balance, maxFeePerGas, openCost, waiting } = await signers()
    if (balance >= gasReserve(openCost, waiting + lines, maxFeePerGas)) return first
    shared = undefined
    log.error(
      { alarm: 'gas_low', balance: String(balance) },
      'balance of the signers below the gas reserve, refusing new purchases',
    )
    throw unavailableNow('gas_low')
  }
}

/** Balance, cost and fees in wei. */
async function readSigners(context: ChainContext) {
  const { db, node } = context
  const usable = await withRoles(context, await configuredSigners(context))
  const addresses = usable.map(({ signer }) => signer.address)
  const [first] = addresses
  if (!first) throw unavailableNow('signer_halted')
  const [balances, { maxFeePerGas }, { openCost, waiting }] = await Promise.all([
    Promise.all(addresses.map((address) => node.balance(address))),
    node.fees(),
    readOpenCost(db, addresses),
  ])
  return { first, balance: balances.reduce((sum, each) => sum + each, 0n), maxFeePerGas, openCost, waiting }
}

export const unavailableNow = (code: string) => unavailable(code, 'Payments are temporarily unavailable')
