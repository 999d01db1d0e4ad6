import { measureBacklog } from '@nifty/service-kit/base/backlog'
import { collector } from '@nifty/service-kit/base/metrics'
import type { Keys } from '@nifty/service-kit/base/secrets'
import { countFormer } from '@nifty/service-kit/database/stored-secrets'
import { sql } from 'kysely'
import { linkSecrets } from './certificates/certificate.ts'
import { waitSeconds } from './chain/finality.ts'
import { findCursor } from './chain-index/cursor.store.ts'
import { openFindings } from './chain-transactions/audit-finding.store.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { deliveriesPerHour } from './chain-transactions/chain-transaction.store.ts'
import { configuredSigners, withRoles } from './chain-transactions/choose-signer.ts'
import { followedSigners, type SignerRow } from './chain-transactions/signer.store.ts'
import { deliveriesLeft, hoursLeft } from './deliveries/delivery-gas.ts'

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

/** What the node reports, without the database: an outage of either is told from one of the other. */
function chainCollector({ node, settings }: ChainContext) {
  let lastFinal: number | null = null
  return collector({
    source: 'chain',
    metrics: {
      nifty_chain_head_block: { help: 'Number of the newest block' },
      nifty_chain_block_age_seconds: { help: 'Age of the newest block' },
      nifty_chain_finality_lag_blocks: { help: 'Blocks after the newest final block' },
      nifty_chain_finality_wait_seconds: {
        help: 'How long a node has called newer blocks final than all nodes together, without progress',
      },
    },
    read: async () => {
      const { newest, final } = await node.heads({ maxAgeMs: settings.pollMs })
      const head = newest.find((block) => block !== undefined)
      // While two nodes disagree, no block is final; the last one that was stays so.
      lastFinal = final?.number ?? lastFinal
      return {
        nifty_chain_head_block: head!.number,
        nifty_chain_block_age_seconds: Math.max(0, (Date.now() - head!.at.getTime()) / 1_000),
        nifty_chain_finality_lag_blocks: lastFinal === null ? null : head!.number - lastFinal,
        nifty_chain_finality_wait_seconds: waitSeconds(node.finalityWait()),
      }
    },
  })
}

/** What needs the node and the database. */
const signingCollector = (context: ChainContext) => {
  const { db, node, contracts, settings } = context
  return collector({
    source: 'signing',
    metrics: {
      nifty_signer_nonce_gap: { help: 'Signed nonces that are in no block', label: 'signer' },
      nifty_gas_deliveries_left: {
        help: 'Deliveries that the balance of a signer with its key and roles pays for at the current gas price',
        label: 'signer',
      },
      nifty_gas_hours_left: {
        help: 'Hours for which the balance of a signer with its key and roles lasts at its present rate, at least ten deliveries an hour',
        label: 'signer',
      },
      nifty_signers_usable: {
        help: 'Active signers that are not halted, whose key this process has and that both contracts accept',
      },
      nifty_chain_index_lag_blocks: { help: 'Final blocks whose logs are not applied' },
    },
    read: async () => {
      const signers = await followedSigners(db)
      const configured = signers.filter(({ address, state }) => state === 'active' && context.signers.find(address))
      const accepted = await withRoles(
        context,
        configured.map(({ address }) => address),
      )
      // A stand-by spends nothing: its key is not here, or the contracts do not accept it yet.
      const active = configured.filter(({ address }) => accepted.some(({ signer }) => signer.address === address))
      const [nonces, balances, rates, fees, final, cursor, able] = await Promise.all([
        Promise.all(signers.map(({ address }) => node.nonceAt(address, 'latest'))),
        Promise.all(active.map(({ address }) => node.balance(address))),
        Promise.all(active.map(({ address }) => deliveriesPerHour(db, address))),
        node.fees(),
        node.finalBlock({ maxAgeMs: settings.pollMs }),
        findCursor(db, contracts.collection),
        configuredSigners(context),
      ])
      const indexed = cursor?.block ?? -1
      const left = active.map((_, at) => deliveriesLeft(balances[at]!, fees.maxFeePerGas))
      return {
        nifty_signer_nonce_gap: bySigner(signers, ({ nextNonce }, at) => nextNonce - nonces[at]!),
        nifty_gas_deliveries_left: bySigner(active, (_, at) => left[at]!),
        nifty_gas_hours_left: bySigner(active, (_, at) => hoursLeft(left[at]!, rates[at]!)),
        nifty_signers_usable: active.filter(({ address }) => able.includes(address)).length,
        nifty_chain_index_lag_blocks: Math.max(0, (final?.number ?? indexed) - indexed),
      }
    },
  })
}

const certificatesCollector = ({ db }: ChainContext, keys: Keys) =>
  collector({
    source: 'certificates',
    metrics: {
      nifty_former_key_texts: {
        help: 'Secrets of certificates that are not encrypted with the first value of MAIL_TOKEN_KEY',
      },
    },
    read: async () => ({ nifty_former_key_texts: await countFormer(db, linkSecrets, keys) }),
  })

export const createCollectors = (context: ChainContext, mailTokenKeys: Keys) => [
  certificatesCollector(context, mailTokenKeys),
  deliveriesCollector(context),
  signersCollector(context),
  chainCollector(context),
  signingCollector(context),
]
