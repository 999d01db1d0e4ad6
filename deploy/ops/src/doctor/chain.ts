import type { SignerStatus } from '@nifty/api/minting/ops'
import { missing, type Outcome, ok } from './check.ts'

/** What is read from the node of CHAIN_RPC_URL. Throws while it does not respond. */
export type Node = {
  chainId: () => Promise<number>
  /** When the newest final block was made, seconds since 1970; null where the node does not support the tag. */
  finalizedAt: () => Promise<number | null>
  hasCode: (address: string) => Promise<boolean>
  collection: () => Promise<{ name: string; symbol: string }>
}

const FINALIZED_WITHIN_S = 600

export async function checkNode(node: Node, chainId: number, nowMs: number): Promise<Outcome> {
  const actual = await node.chainId()
  if (actual !== chainId) return missing(`the node serves chain ${actual}, and CHAIN_ID is ${chainId}`)
  const at = await node.finalizedAt()
  if (at === null) return missing('the node does not know the tag `finalized`: take one that does, nothing is captured')
  const seconds = Math.max(0, Math.round(nowMs / 1_000 - at))
  return seconds <= FINALIZED_WITHIN_S
    ? ok(`chain ${chainId}, the newest final block is ${seconds} s old`)
    : missing(`the newest final block is ${seconds} s old: new purchases are refused. Ask the provider of the node`)
}

export async function checkContracts(
  node: Node,
  addresses: { CHAIN_COLLECTION: string | undefined; CHAIN_DELIVERY: string | undefined },
): Promise<Outcome> {
  for (const [variable, address] of Object.entries(addresses))
    if (!address || !(await node.hasCode(address)))
      return missing(
        `${variable} (${address ?? 'not set'}) has no code on this chain: run \`pnpm ops deploy-contracts\``,
      )
  const { name, symbol } = await node.collection()
  return ok(`works are called ${name} (${symbol})`)
}

const HOURS_AT_LEAST = 24

/** Keys that sign now, and how long their gas lasts at the contracts' limit of moves an hour. */
export function checkSigners(signers: SignerStatus[], movesPerHour: number): Outcome {
  const active = signers.filter(({ state, keyConfigured }) => state === 'active' && keyConfigured)
  if (active.length === 0) return missing('no signer can sign: set CHAIN_SIGNER_KEY, see `pnpm ops signers list`')
  for (const { address, roles, haltedReason, balance } of active) {
    if (haltedReason) return missing(`signer ${address} is halted: ${haltedReason}. See the runbook NiftySignerHalted`)
    if (!roles || !balance) return missing(`the state of signer ${address} is unknown: the node does not respond`)
    if (!roles.collection || !roles.delivery)
      return missing(`the contracts do not accept signer ${address}: run \`pnpm ops signers add\``)
  }
  const hours = active.map(({ address, balance }) => ({ address, hours: balance!.deliveriesLeft / movesPerHour }))
  const figures = hours.map(({ address, hours }) => `${address} ${Math.floor(hours)} hours`).join(', ')
  return hours.every(({ hours }) => hours >= HOURS_AT_LEAST)
    ? ok(`gas at ${movesPerHour} moves an hour: ${figures}`)
    : missing(
        `gas for less than ${HOURS_AT_LEAST} hours at ${movesPerHour} moves an hour: ${figures}. Send coins there`,
      )
}
