import { measureBacklog } from '@nifty/service-kit/base/backlog'
import { collector } from '@nifty/service-kit/base/metrics'
import { sql } from 'kysely'
import { waitSeconds } from './chain/finality.ts'
import { findCursor } from './chain-index/cursor.store.ts'
import { openFindings } from './chain-transactions/audit-finding.store.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { configuredSigners, withRoles } from './chain-transactions/choose-signer.ts'
import { followedSigners, type SignerRow } from './chain-transactions/signer.store.ts'
import { deliveriesLeft } from './deliveries/delivery-gas.ts'

const deliveriesCollector = ({ db }: ChainContext) =>
  collector({
    source: 'deliveries',
    metrics: {
      nifty_deliveries: { help: 'Open deliveries, by state', label: 'state' },
      nifty_deliveries_oldest_seconds: { help: 'Age of the oldest open delivery' },
      nifty_mints_waiting: { help: 'Accepted mints that are not signed' },
      nifty_mints_oldest_seconds: { help: 'Age of the oldest accepted mint that is not signed' },
      nifty_chain_audit_findings: { help: 'Final transactions that have left their block, not closed' },
    },
    read: async () => {
      const deliveries = (state: string) =>
        measureBacklog(db, { table: 'delivery', since: 'createdAt', where: sql`state = ${state}` })
      const [waiting, signed, mints, findings] = await Promise.all([
        deliveries('waiting'),
        deliveries('signed'),
        measureBacklog(db, { table: 'mint', since: 'createdAt', where: sql`state = 'accepted'` }),
        openFindings(db),
      ])
      return {
        nifty_deliveries: { waiting: waiting.count, signed: signed.count },
        nifty_deliveries_oldest_seconds: Math.max(waiting.oldestSeconds, signed.oldestSeconds),
        nifty_mints_waiting: mints.count,
        nifty_mints_oldest_seconds: mints.oldestSeconds,
        nifty_chain_audit_findings: findings.length,
      }
    },
  })

/** Retired signers are left out once their last transaction is final. */
const signersCollector = ({ db, signers: keys }: ChainContext) =>
  collector({
    source: 'signers',
    metrics: {
      nifty_signer_halted: { help: '1 while a signer is halted, until an operator resumes it', label: 'signer' },
      nifty_signer_key_missing: {
        help: '1 while a signer has open transactions and its key is not configured',
        label: 'signer',
      },
      nifty_chain_transactions_open: { help: 'Signed transactions that are not final', label: 'signer' },
      nifty_chain_transactions_oldest_seconds: {
        help: 'Age of the oldest transaction that is not final',
        label: 'signer',
      },
    },
    read: async () => {
      const signers = await followedSigners(db)
      const open = await Promise.all(
        signers.map(({ address }) =>
          measureBacklog(db, {
            table: 'chainTransaction',
            since: 'signedAt',
            where: sql`signer = ${address} and state <> 'final'`,
          }),
        ),
      )
      return {
        nifty_signer_halted: bySigner(signers, ({ haltedReason }) => Number(haltedReason !== null)),
        nifty_signer_key_missing: bySigner(signers, ({ address, state }, at) =>
          Number(state !== 'retired' && open[at]!.count > 0 && !keys.find(address)),
        ),
        nifty_chain_transactions_open: bySigner(signers, (_, at) => open[at]!.count),
        nifty_chain_transactions_oldest_seconds: bySigner(signers, (_, at) => open[at]!.oldestSeconds),
      }
    },
  })

const bySigner = (signers: SignerRow[], read: (signer: SignerRow, at: number) => number) =>
  Object.fromEntries(signers.map((signer, at) => [signer.address, read(signer, at)]))

const chainCollector = (context: ChainContext) => {
  const { db, node, contracts } = context
  return collector({
    source: 'chain',
    metrics: {
      nifty_signer_nonce_gap: { help: 'Signed nonces that are in no block', label: 'signer' },
      nifty_gas_deliveries_left: {
        help: 'Deliveries that the balance of an active signer pays for at the current gas price',
        label: 'signer',
      },
      nifty_signers_usable: {
        help: 'Active signers that are not halted, whose key this process has and that both contracts accept',
      },
      nifty_chain_head_block: { help: 'Number of the newest block' },
      nifty_chain_block_age_seconds: { help: 'Age of the newest block' },
      nifty_chain_finality_lag_blocks: { help: 'Blocks after the newest final block' },
      nifty_chain_finality_wait_seconds: {
        help: 'How long a node has called newer blocks final than all nodes together, without progress',
      },
      nifty_chain_index_lag_blocks: { help: 'Final blocks whose logs are not applied' },
    },
    read: async () => {
      const signers = await followedSigners(db)
      const active = signers.filter(({ state }) => state === 'active')
      const [head, final, nonces, balances, fees, cursor, usable] = await Promise.all([
        node.blockAt('latest'),
        node.finalBlock(),
        Promise.all(signers.map(({ address }) => node.nonceAt(address, 'latest'))),
        Promise.all(active.map(({ address }) => node.balance(address))),
        node.fees(),
        findCursor(db, contracts.collection),
        withRoles(context, await configuredSigners(context)),
      ])
      const indexed = cursor?.block ?? -1
      // While two nodes disagree, no block is final; indexed blocks were final before.
      const lastFinal = final?.number ?? indexed
      return {
        nifty_signer_nonce_gap: bySigner(signers, ({ nextNonce }, at) => nextNonce - nonces[at]!),
        nifty_gas_deliveries_left: bySigner(active, (_, at) => deliveriesLeft(balances[at]!, fees.maxFeePerGas)),
        nifty_signers_usable: usable.length,
        nifty_chain_head_block: head!.number,
        nifty_chain_block_age_seconds: Math.max(0, (Date.now() - head!.at.getTime()) / 1_000),
        nifty_chain_finality_lag_blocks: head!.number - lastFinal,
        nifty_chain_finality_wait_seconds: waitSeconds(node.finalityWait()),
        nifty_chain_index_lag_blocks: Math.max(0, lastFinal - indexed),
      }
    },
  })
}

export const createCollectors = (context: ChainContext) => [
  deliveriesCollector(context),
  signersCollector(context),
  chainCollector(context),
]
