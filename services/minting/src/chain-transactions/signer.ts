import type { Roles } from '../chain/node.ts'

/** The most deliveries, and mints, in one transaction. */
export const MAX_BATCH = { delivery: 20, mint: 40 }

/** Limits of one signer. Nodes keep only so many pending transactions of one account, and drop the rest. */
export type QueueLimits = { maxUnmined: number; maxNotFinal: number }

/** The open transactions of a signer that may sign. `isFunded`: its balance pays for all that is to be signed. */
export type SignerQueue = {
  address: string
  unmined: number
  notFinal: number
  /** When its oldest transaction that is in no block was signed. */
  oldestUnmined: Date | null
  isFunded: boolean
}

/**
 * Signers that may sign the next transaction, best first: one that is not stuck, that is, whose oldest unmined nonce is
 * the youngest; then the one with the fewest open transactions. One that pays only for a part comes last.
 */
export const rankSigners = (queues: SignerQueue[], { maxUnmined, maxNotFinal }: QueueLimits): string[] =>
  queues
    .filter(({ unmined, notFinal }) => unmined < maxUnmined && notFinal < maxNotFinal)
    .sort(
      (one, other) =>
        Number(other.isFunded) - Number(one.isFunded) ||
        ageRank(other.oldestUnmined) - ageRank(one.oldestUnmined) ||
        one.notFinal - other.notFinal,
    )
    .map(({ address }) => address)

/** Larger is younger. */
const ageRank = (oldest: Date | null) => oldest?.getTime() ?? Number.MAX_SAFE_INTEGER

/** A row without a key or role in this process is followed all the same; it only does not sign. */
export const maySign = ({ state, haltedReason }: { state: string; haltedReason: string | null }) =>
  state === 'active' && haltedReason === null

/**
 * True when the owner has removed a signer for good: it had a role at block `roleBlock`, and has none at `final`, which
 * is not an earlier block. A signer that never signed and has no role yet is only removed if it was drained.
 */
export function isRevoked(
  { state, roleBlock }: { state: string; roleBlock: number | null },
  final: { number: number; roles: Roles },
): boolean {
  if (final.roles.collection || final.roles.delivery) return false
  return roleBlock === null ? state === 'draining' : final.number >= roleBlock
}
