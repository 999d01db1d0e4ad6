import { measureBacklog } from '@nifty/service-kit/metrics/backlog'
import { collector } from '@nifty/service-kit/metrics/metrics'
import { sql } from 'kysely'
import { findCursor } from './chain-index/cursor.store.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { findSigner } from './chain-transactions/signer.store.ts'
import { deliveriesLeft } from './deliveries/delivery-gas.ts'

const deliveriesCollector = ({ db, signer }: ChainContext) =>
  collector({
    source: 'deliveries',
    metrics: {
      nifty_deliveries: { help: 'Open deliveries, by state', label: 'state' },
      nifty_deliveries_oldest_seconds: { help: 'Age of the oldest open delivery' },
      nifty_mints_waiting: { help: 'Accepted mints that are not signed' },
      nifty_mints_oldest_seconds: { help: 'Age of the oldest accepted mint that is not signed' },
      nifty_signer_halted: { help: '1 while the signer is halted, until an operator resumes it' },
      nifty_chain_transactions_open: { help: 'Signed transactions that are not final' },
      nifty_chain_transactions_oldest_seconds: { help: 'Age of the oldest transaction that is not final' },
    },
    read: async () => {
      const deliveries = (state: string) =>
        measureBacklog(db, { table: 'delivery', since: 'createdAt', where: sql`state = ${state}` })
      const [waiting, signed, mints, transactions, row] = await Promise.all([
        deliveries('waiting'),
        deliveries('signed'),
        measureBacklog(db, { table: 'mint', since: 'createdAt', where: sql`state = 'accepted'` }),
        measureBacklog(db, {
          table: 'chainTransaction',
          since: 'signedAt',
          where: sql`signer = ${signer.address} and state <> 'final'`,
        }),
        findSigner(db, signer.address),
      ])
      return {
        nifty_deliveries: { waiting: waiting.count, signed: signed.count },
        nifty_deliveries_oldest_seconds: Math.max(waiting.oldestSeconds, signed.oldestSeconds),
        nifty_mints_waiting: mints.count,
        nifty_mints_oldest_seconds: mints.oldestSeconds,
        nifty_signer_halted: Number((row?.haltedReason ?? null) !== null),
        nifty_chain_transactions_open: transactions.count,
        nifty_chain_transactions_oldest_seconds: transactions.oldestSeconds,
      }
    },
  })

const chainCollector = ({ db, node, signer, contracts }: ChainContext) =>
  collector({
    source: 'chain',
    metrics: {
      nifty_signer_nonce_gap: { help: 'Signed nonces that are in no block' },
      nifty_gas_deliveries_left: {
        help: 'Deliveries that the balance of the signer pays for at the current gas price',
      },
      nifty_chain_head_block: { help: 'Number of the newest block' },
      nifty_chain_block_age_seconds: { help: 'Age of the newest block' },
      nifty_chain_finality_lag_blocks: { help: 'Blocks after the newest final block' },
      nifty_chain_index_lag_blocks: { help: 'Final blocks whose logs are not applied' },
    },
    read: async () => {
      const [head, final, nonce, balance, fees, row, cursor] = await Promise.all([
        node.blockAt('latest'),
        node.finalBlock(),
        node.nonceAt('latest'),
        node.balance(),
        node.fees(),
        findSigner(db, signer.address),
        findCursor(db, contracts.collection),
      ])
      const indexed = cursor?.block ?? -1
      // While two nodes disagree, no block is final; indexed blocks were final before.
      const lastFinal = final?.number ?? indexed
      return {
        nifty_signer_nonce_gap: row ? row.nextNonce - nonce : 0,
        nifty_gas_deliveries_left: deliveriesLeft(balance, fees.maxFeePerGas),
        nifty_chain_head_block: head!.number,
        nifty_chain_block_age_seconds: Math.max(0, (Date.now() - head!.at.getTime()) / 1_000),
        nifty_chain_finality_lag_blocks: head!.number - lastFinal,
        nifty_chain_index_lag_blocks: Math.max(0, lastFinal - indexed),
      }
    },
  })

export const createCollectors = (context: ChainContext) => [deliveriesCollector(context), chainCollector(context)]
