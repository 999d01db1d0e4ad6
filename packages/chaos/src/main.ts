import { cpus } from 'node:os'
import type { Campaign, Log } from './campaign.ts'
import { crash } from './crash.ts'
import { kafka } from './kafka.ts'
import { kafkaLost } from './kafka-lost.ts'
import { kill } from './kill.ts'
import { redis } from './redis/redis.ts'
import { rolling } from './rolling/rolling.ts'
import { readSchedule } from './storm/options.ts'
import { storm } from './storm/storm.ts'

const campaigns: Record<string, Campaign> = { kill, kafka, 'kafka-lost': kafkaLost, redis, rolling, crash }

const [name = '', ...rest] = process.argv.slice(2)
const campaign = name === 'storm' ? (log: Log) => storm(readSchedule(rest), log) : campaigns[name]
if (!campaign || (name !== 'storm' && rest.length > 0)) {
  process.stderr.write(
    `Usage: pnpm chaos ${Object.keys(campaigns).join(' | ')}\n       pnpm chaos storm [--seed N] [--purchases N] [--kills N] [--replicas N] [--replay FILE]\n`,
  )
  process.exit(2)
}

const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)
const log = (text: string) => process.stdout.write(`${String(seconds()).padStart(5)} s  ${text}\n`)

log(`${name}, on ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
const { metrics, violations } = await campaign(log)
for (const [metric, value] of Object.entries({ ...metrics, 'seconds in all': seconds() }))
  process.stdout.write(`  ${metric.padEnd(48)} ${value}\n`)
for (const violation of violations) process.stdout.write(`  VIOLATION ${violation}\n`)
log(violations.length === 0 ? 'all invariants held' : `${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
