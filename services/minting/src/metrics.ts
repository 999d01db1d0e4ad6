import { collector } from '@nifty/service-kit/metrics/metrics'
import { sql } from 'kysely'
import { findCursor } from './chain-index/cursor.store.ts'
import { deliveriesLeft, type Lane } from './chain-transactions/chain-context.ts'
import { findLane } from './chain-transactions/chain-transaction.store.ts'

const deliveriesReading = ({ db, signer }: Lane) =>
  collector({
    source: 'deliveries',
    metrics: {
      nifty_deliveries: { help: 'Deliveries that are not over, by state', label: 'state' },
      nifty_deliveries_oldest_seconds: { help: 'Age of the oldest delivery that is not over' },
      nifty_mints_waiting: { help: 'Accepted mints that are not signed yet' },
      nifty_mints_oldest_seconds: { help: 'Age of the oldest of them' },
      nifty_signer_halted: { help: '1 while the signer is halted and a person must look' },
      nifty_chain_transactions_open: { help: 'Signed transactions that are not final' },
      nifty_chain_transactions_oldest_seconds: { help: 'Age of the oldest of them' },
    },
    read: async () => {
      const { rows } = await sql<{
        waiting: number
        signed: number
        oldest: number | null
        mints: number
        oldestMint: number | null
        open: number
        oldestOpen: number | null
      }>`
        select d.*, m.*, t.* from (
          select count(*) filter (where state = 'waiting') as waiting,
            count(*) filter (where state = 'signed') as signed,
            extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest
          from delivery where state in ('waiting', 'signed')) d, (
          select count(*) as mints, extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest_mint
          from mint where state = 'accepted') m, (
          select count(*) as open, extract(epoch from clock_timestamp() - min(signed_at))::float8 as oldest_open
          from lane_transaction where signer = ${signer.address} and state <> 'final') t`.execute(db)
      const found = rows[0]!
      const lane = await findLane(db, signer.address)
      return {
        nifty_deliveries: { waiting: found.waiting, signed: found.signed },
        nifty_deliveries_oldest_seconds: found.oldest ?? 0,
        nifty_mints_waiting: found.mints,
        nifty_mints_oldest_seconds: found.oldestMint ?? 0,
        nifty_signer_halted: Number((lane?.haltedReason ?? null) !== null),
        nifty_chain_transactions_open: found.open,
        nifty_chain_transactions_oldest_seconds: found.oldestOpen ?? 0,
      }
    },
  })

const chainReading = ({ db, node, signer, contracts }: Lane) =>
  collector({
    source: 'chain',
    metrics: {
      nifty_signer_nonce_gap: { help: 'Nonces that were signed and are in no block' },
      nifty_gas_deliveries_left: { help: 'Deliveries that the gas money would pay at the present price' },
      nifty_chain_head_block: { help: 'The newest block' },
      nifty_chain_block_age_seconds: { help: 'Age of the newest block' },
      nifty_chain_finality_lag_blocks: { help: 'Blocks after the newest final one' },
      nifty_chain_index_lag_blocks: { help: 'Final blocks whose logs are not read yet' },
    },
    read: async () => {
      const [head, final, nonce, balance, fees, lane, cursor] = await Promise.all([
        node.blockAt('latest'),
        node.finalBlock(),
        node.nonceAt('latest'),
        node.balance(),
        node.fees(),
        findLane(db, signer.address),
        findCursor(db, contracts.collection),
      ])
      const indexed = cursor?.block ?? -1
      // Nodes that disagree call nothing final; what was read was final once.
      const lastFinal = final?.number ?? indexed
      return {
        nifty_signer_nonce_gap: lane ? lane.nextNonce - nonce : 0,
        nifty_gas_deliveries_left: deliveriesLeft(balance, fees.maxFeePerGas),
        nifty_chain_head_block: head!.number,
        nifty_chain_block_age_seconds: Math.max(0, (Date.now() - head!.at.getTime()) / 1_000),
        nifty_chain_finality_lag_blocks: head!.number - lastFinal,
        nifty_chain_index_lag_blocks: Math.max(0, lastFinal - indexed),
      }
    },
  })

/** What minting tells of deliveries, of its signer and of the chain. */
export const createCollectors = (lane: Lane) => [deliveriesReading(lane), chainReading(lane)]
