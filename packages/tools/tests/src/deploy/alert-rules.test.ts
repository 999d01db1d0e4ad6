import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ruleFiles, rules } from '../observability/rules.ts'
import { chart } from './chart.ts'
import { findPromtool } from './tools.ts'

const promtool = await findPromtool()

/** Series and their values a minute, as promtool reads them: `1+2x3` is 1 3 5 7. */
type Series = Record<string, string>
type Severity = 'page' | 'warning'
/** `firing`: the alerts that fire after that many minutes, each with its severities. */
type Case = { of: string; series: Series; minutes: number; firing: Record<string, Severity[]>; summary?: string }

const page = 'page'
const warning = 'warning'

/** One series at a constant value. */
const constant = (series: string, value: number, minutes = 200): Series => ({ [series]: `${value}x${minutes}` })
const gauge = (of: string, series: string, value: number, firing: Case['firing']): Case => ({
  of,
  series: constant(series, value),
  minutes: 90,
  firing,
})
const up = (component: string, source: string, value: number) =>
  constant(`nifty_collector_up{component="${component}",source="${source}"}`, value)

const market = (kind: 'bucket' | 'count', values: string): Series => ({
  [`nifty_http_request_duration_seconds_${kind}{component="gateway",route="/api/nfts/market",method="GET",status="200"${kind === 'bucket' ? ',le="1"' : ''}}`]:
    values,
})
const calls = (outcome: string, values: string): Series => ({
  [`nifty_processor_calls_total{component="payments",outcome="${outcome}"}`]: values,
})
const sales = (captured: string, values: string): Series => ({ [`nifty_sales_total{captured="${captured}"}`]: values })
const k8s = 'namespace="shop"'

const requests = (status: string, values: string): Series => ({
  [`nifty_http_request_duration_seconds_count{component="gateway",route="/x",status="${status}"}`]: values,
})
const byOneNumber = `
  OrderStuck HoldEnding OfferUndecided AuctionUndecided MoneyAlarm ReconciliationFailed ReconcileMissing OrdersFailing DeliveryStuck SignerHalted
  NoSigner SignerKeyMissing TransactionStuck FinalityWaiting FinalityBroken EventsDeadLettered EventsUnknownVersion
  EventsUnknownName EventsRetrying OutboxStuck ConsumerLag MailsStuck Errors RefusalsRising Slow PasswordSpraying
  SecondFactorKeyWrong ConnectionsExhausted EventLoopBlocked CacheUnavailable`
  .trim()
  .split(/\s+/)
  .map((name) => `Nifty${name}`)

const cases: Case[] = [
  {
    of: 'a database that two services do not reach: one alert, which names them',
    series: {
      ...up('auth', 'database', 0),
      ...up('auth', 'messages', 0),
      ...up('payments', 'database', 0),
      ...up('payments', 'orders', 0),
      ...up('minting', 'database', 1),
      ...up('minting', 'chain', 1),
      ...up('minting', 'signing', 1),
    },
    minutes: 10,
    firing: { NiftyDatabaseUnreachable: [page] },
    summary: 'PostgreSQL is not reached by auth payments ',
  },
  {
    of: 'Kafka that three services do not reach: one alert',
    series: { ...up('auth', 'transport', 0), ...up('catalog', 'transport', 0), ...up('minting', 'transport', 0) },
    minutes: 10,
    firing: { NiftyKafkaUnreachable: [page] },
    summary: 'Kafka is not reached by auth catalog minting ',
  },
  {
    of: 'a chain node that does not respond: no alert of the collector that needs it as well',
    series: { ...up('minting', 'chain', 0), ...up('minting', 'signing', 0), ...up('minting', 'database', 1) },
    minutes: 10,
    firing: { NiftyChainNodeUnreachable: [page] },
  },
  {
    of: 'two collectors that fail by themselves: one alert of the component',
    series: { ...up('minting', 'signing', 0), ...up('minting', 'deliveries', 0), ...up('minting', 'chain', 1) },
    minutes: 10,
    firing: { NiftyMetricsMissing: [page] },
  },
  {
    of: 'a processor that does not respond',
    // Without orders it is called every ten minutes (PAYMENTS_BACKFILL_MS).
    series: {
      ...calls('none', '0x9 1x9 2x9 3x9 4x9 5x9 6x9'),
      ...calls('failed', '0x200'),
      ...calls('ok', '50x200'),
    },
    minutes: 60,
    firing: { NiftyProcessorUnreachable: [page] },
  },
  {
    of: 'one failed round of calls in a quiet shop',
    series: { ...calls('none', '0x14 5x200'), ...calls('ok', '0x4 3x19 6x9 9x200') },
    minutes: 24,
    firing: {},
  },
  {
    of: 'a processor that stops while people buy: before errors and failing orders are five minutes old',
    series: {
      ...calls('none', '0x9 10+10x20'),
      ...calls('failed', '0x200'),
      ...calls('ok', '0+10x9 90x200'),
    },
    minutes: 14,
    firing: { NiftyProcessorUnreachable: [page] },
  },
  {
    of: 'object storage that both services with pictures do not reach: one alert',
    series: { ...up('auth', 'pictures', 0), ...up('minting', 'pictures', 0) },
    minutes: 10,
    firing: { NiftyPicturesUnavailable: [page] },
    summary: 'Pictures are not reached by auth minting ',
  },
  {
    of: 'a processor of which one call in two fails, or that refuses the key',
    series: { ...calls('none', '0+1x200'), ...calls('refused', '0+1x200'), ...calls('ok', '0x200') },
    minutes: 30,
    firing: {},
  },
  gauge('gas for 47 hours', 'nifty_gas_hours_left{signer="0x1"}', 47, { NiftyGasLow: [warning] }),
  gauge('gas for 5 hours: the page alone', 'nifty_gas_hours_left{signer="0x1"}', 5, { NiftyGasLow: [page] }),
  gauge('gas for 48 hours', 'nifty_gas_hours_left{signer="0x1"}', 48, {}),
  gauge('an offer whose money is not given back', 'nifty_bids_undecided', 1, { NiftyOfferUndecided: [page] }),
  {
    of: 'an offer that payments gives back five minutes after its end, as catalog had it open: the alarm alone',
    series: {
      'nifty_offers_overdue_seconds{component="catalog"}': '0x9 30 90 150 210 270 330 0x50',
      'nifty_bids_undecided{component="payments"}': '0x9 1x5 0x50',
      'nifty_alarms_last_day{name="bid_undecided"}': '0x15 1x50',
    },
    minutes: 25,
    firing: { NiftyMoneyAlarm: [page] },
  },
  gauge('an auction whose bids banks confirm', 'nifty_auctions_overdue_seconds{component="catalog"}', 180, {}),
  gauge('an auction that nothing decides', 'nifty_auctions_overdue_seconds{component="catalog"}', 301, {
    NiftyAuctionUndecided: [page],
  }),
  gauge('an index that is behind', 'nifty_chain_index_lag_blocks', 101, { NiftyFinalityLag: [warning] }),
  gauge(
    'a certificate that ends a week after the epoch',
    'nifty_certificate_end_timestamp_seconds{component="auth"}',
    600_000,
    { NiftyCertificateEnding: [page] },
  ),
  gauge('a certificate that ends later', 'nifty_certificate_end_timestamp_seconds{component="auth"}', 9_000_000, {}),
  {
    of: 'every limit that one number crosses',
    series: {
      ...constant('nifty_orders_authorised_oldest_seconds', 901),
      ...constant('nifty_orders_hold_ending', 1),
      ...constant('nifty_offers_overdue_seconds', 61),
      ...constant('nifty_auctions_overdue_seconds', 301),
      ...constant('nifty_alarms_last_day{name="disputed"}', 1),
      ...constant('nifty_reconcile_balanced', 0),
      ...constant('nifty_reconcile_age_seconds', 108_001),
      ...constant('nifty_orders_failing', 1),
      ...constant('nifty_deliveries_oldest_seconds', 601),
      ...constant('nifty_signer_halted{signer="0x1"}', 1),
      ...constant('nifty_signers_usable', 0),
      ...constant('nifty_signer_key_missing{signer="0x1"}', 1),
      ...constant('nifty_chain_transactions_oldest_seconds{signer="0x1"}', 601),
      ...constant('nifty_signer_nonce_gap{signer="0x1"}', 1),
      ...constant('nifty_chain_finality_wait_seconds', 301),
      ...constant('nifty_chain_audit_findings', 1),
      ...constant('nifty_retry_messages{component="auth",state="dead_letter"}', 1),
      ...constant('nifty_retry_oldest_seconds{component="auth",state="unknown_version"}', 1_801),
      ...constant('nifty_retry_oldest_seconds{component="auth",state="waiting"}', 61),
      'nifty_events_received_total{component="auth",outcome="unknown_name"}': '0+1x200',
      ...constant('nifty_outbox_oldest_seconds{component="auth"}', 61),
      ...constant('nifty_consumer_lag_seconds{component="auth",topic="payments"}', 121),
      ...constant('nifty_mails_oldest_seconds', 901),
      ...requests('500', '0+100x200'),
      ...requests('401', '0+1x60 60+600x60'),
      'nifty_http_request_duration_seconds_bucket{component="gateway",method="GET",le="1"}': '0x200',
      'nifty_http_request_duration_seconds_bucket{component="gateway",method="GET",le="2.5"}': '0+100x200',
      'nifty_http_request_duration_seconds_bucket{component="gateway",method="GET",le="+Inf"}': '0+100x200',
      ...constant('nifty_log_in_failing_accounts', 101),
      ...constant('nifty_second_factor_key_wrong', 1),
      ...constant('nifty_db_connections_waiting{component="auth",pool="main"}', 1),
      ...constant('nodejs_eventloop_lag_p99_seconds{component="auth"}', 0.6),
      ...constant('nifty_market_cache_shared', 0),
    },
    minutes: 68,
    firing: Object.fromEntries(
      rules
        .filter(({ alert }) => byOneNumber.includes(alert))
        .map(({ alert, labels }) => [alert, [labels.severity as Severity]]),
    ),
  },
  {
    of: 'one page of the market in twenty is slow',
    series: { ...market('count', '0+100x200'), ...market('bucket', '0+95x200') },
    minutes: 100,
    firing: { NiftyMarketObjective: [page, warning] },
  },
  {
    of: 'the market after eight minutes without a database: what was notified by its name is no second page',
    series: {
      'nifty_collector_up{component="auth",source="database"}': '1x30 0x7 1x160',
      ...market('count', '0+100x200'),
      ...market('bucket', '0+100x30 3000x7 3100+100x160'),
    },
    minutes: 55,
    firing: {},
  },
  {
    of: 'one page of the market in two thousand is slow',
    series: { ...market('count', '0+2000x200'), ...market('bucket', '0+1999x200') },
    minutes: 100,
    firing: {},
  },
  {
    of: 'two slow pages of a quiet market, within the hour: no page',
    series: { ...market('count', '0+1x200'), ...market('bucket', '0+1x55 55x2 56+1x150') },
    minutes: 60,
    firing: {},
  },
  {
    of: 'two slow pages of a quiet market, an hour later: no warning',
    series: { ...market('count', '0+1x200'), ...market('bucket', '0+1x55 55x2 56+1x150') },
    minutes: 150,
    firing: {},
  },
  {
    of: 'every other page of a quiet market is slow',
    series: { ...market('count', '0+1x200'), ...market('bucket', '0+0.5x200') },
    minutes: 100,
    firing: { NiftyMarketObjective: [page, warning] },
  },
  {
    of: 'one sale in five is late',
    series: { ...sales('late', '0+1x200'), ...sales('in_time', '0+4x200') },
    minutes: 60,
    firing: { NiftySalesObjective: [warning] },
  },
  {
    of: 'three late sales of ten in a day',
    series: { ...sales('late', '0x10 3x200'), ...sales('in_time', '0x10 7x200') },
    minutes: 120,
    firing: { NiftySalesMissing: [page] },
  },
  { of: 'a shop that is new', series: sales('in_time', '0x400'), minutes: 30, firing: {} },
  {
    of: 'a replica that does not come',
    series: {
      ...constant(`kube_deployment_spec_replicas{${k8s},deployment="nifty-payments"}`, 2),
      ...constant(`kube_deployment_status_replicas_available{${k8s},deployment="nifty-payments"}`, 1),
      ...constant(`kube_deployment_spec_replicas{${k8s},deployment="other"}`, 2),
      ...constant(`kube_deployment_status_replicas_available{${k8s},deployment="other"}`, 0),
    },
    minutes: 30,
    firing: { NiftyReplicasMissing: [warning] },
  },
  {
    of: 'an autoscaler at its most, beside one that has no choice',
    series: Object.assign(
      {},
      ...Object.entries({ 'nifty-catalog': [3, 9, 9], 'keda-hpa-nifty-minting': [2, 2, 2] }).map(
        ([name, [min, max, desired]]) => ({
          ...constant(`kube_horizontalpodautoscaler_spec_min_replicas{${k8s},horizontalpodautoscaler="${name}"}`, min!),
          ...constant(`kube_horizontalpodautoscaler_spec_max_replicas{${k8s},horizontalpodautoscaler="${name}"}`, max!),
          ...constant(
            `kube_horizontalpodautoscaler_status_desired_replicas{${k8s},horizontalpodautoscaler="${name}"}`,
            desired!,
          ),
        }),
      ),
    ),
    minutes: 30,
    firing: { NiftyReplicasAtMost: [warning] },
  },
  {
    of: 'a volume with four percent left: the page alone',
    series: {
      [`kubelet_volume_stats_available_bytes{${k8s},persistentvolumeclaim="uploads"}`]: '20-0.2x80 4x100',
      ...constant(`kubelet_volume_stats_capacity_bytes{${k8s},persistentvolumeclaim="uploads"}`, 100),
    },
    minutes: 160,
    firing: { NiftyVolumeFull: [page] },
  },
  {
    of: 'a volume that fills',
    series: {
      [`kubelet_volume_stats_available_bytes{${k8s},persistentvolumeclaim="uploads"}`]: '20-0.05x200',
      ...constant(`kubelet_volume_stats_capacity_bytes{${k8s},persistentvolumeclaim="uploads"}`, 100),
    },
    minutes: 190,
    firing: { NiftyVolumeFull: [warning] },
  },
  {
    of: 'a certificate of cert-manager, beside one that a pod measures itself',
    series: {
      ...constant(`certmanager_certificate_expiration_timestamp_seconds{${k8s},name="shop-tls"}`, 600_000),
      ...constant(`certmanager_certificate_expiration_timestamp_seconds{${k8s},name="nifty-auth-tls"}`, 600_000),
    },
    minutes: 90,
    firing: { NiftyCertificateEnding: [page] },
  },
  {
    of: 'a backup of 27 hours',
    // Before the epoch, at which promtool begins.
    series: constant(`cnpg_collector_last_available_backup_timestamp{${k8s}}`, -97_200),
    minutes: 30,
    firing: { NiftyBackupMissing: [page] },
  },
  {
    of: 'a backup of 27 hours in object storage, which the operator itself does not count',
    series: {
      ...constant(`cnpg_collector_last_available_backup_timestamp{${k8s}}`, -9_999_999),
      ...constant(`barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${k8s}}`, -97_200),
    },
    minutes: 30,
    firing: { NiftyBackupMissing: [page] },
  },
  {
    of: 'a backup of 20 hours in object storage',
    series: {
      ...constant(`cnpg_collector_last_available_backup_timestamp{${k8s}}`, -9_999_999),
      ...constant(`barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${k8s}}`, -72_000),
    },
    minutes: 30,
    firing: {},
  },
]

/** The cases have no series of processes. */
const firing = 'count by (alertname, severity) (ALERTS{alertstate="firing",alertname!="NiftyComponentDown"})'

/** As promtool reads it. */
const toTest = ({ of, series, minutes, firing: expected, summary }: Case) => ({
  name: of,
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: firing,
      eval_time: `${minutes}m`,
      exp_samples: Object.entries(expected).flatMap(([alertname, severities]) =>
        severities.map((severity) => ({ labels: `{alertname="${alertname}", severity="${severity}"}`, value: 1 })),
      ),
    },
  ],
  alert_rule_test: summary
    ? Object.entries(expected).map(([alertname, [severity]]) => ({
        eval_time: `${minutes}m`,
        alertname,
        exp_alerts: [
          {
            exp_labels: { severity },
            exp_annotations: { ...rules.find(({ alert }) => alert === alertname)!.annotations, summary },
          },
        ],
      }))
    : [],
})

test('every alert fires in a case', () => {
  const fired = new Set(['NiftyComponentDown', ...cases.flatMap(({ firing }) => Object.keys(firing))])
  expect(rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert))).toEqual([])
})

describe.skipIf(!promtool)('alerts, by promtool', () => {
  test('all rules are valid', async () => {
    const files = ruleFiles.map((file) => join(chart, 'observability', file))
    const { stdout } = await promisify(execFile)(promtool!, ['check', 'rules', ...files])
    expect(stdout.match(/SUCCESS/g)).toHaveLength(ruleFiles.length)
  })

  test('each case makes the alerts fire that it names, and no other', async () => {
    const folder = await temporaryFolder('alerts')
    for (const file of ruleFiles) await cp(join(chart, 'observability', file), join(folder, file))
    await writeFile(join(folder, 'cases.yaml'), stringify({ rule_files: ruleFiles, tests: cases.map(toTest) }))
    const tested = await promisify(execFile)(promtool!, ['test', 'rules', 'cases.yaml'], { cwd: folder }).catch(
      ({ stdout, stderr }) => ({ stdout: `${stdout}${stderr}` }),
    )
    expect(tested.stdout).toContain('SUCCESS')
  })
})
