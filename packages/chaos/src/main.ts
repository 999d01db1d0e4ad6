import { cpus } from 'node:os'
import type { Campaign } from './campaign.ts'
import { crash } from './crash.ts'
import { kafka } from './kafka.ts'
import { kill } from './kill.ts'
import { redis } from './redis/redis.ts'
import { rolling } from './rolling/rolling.ts'

const campaigns: Record<string, Campaign> = { kill, kafka, redis, rolling, crash }

const [name = '', ...rest] = process.argv.slice(2)
const campaign = campaigns[name]
if (!campaign || rest.length > 0) {
  process.stderr.write(`Usage: pnpm chaos ${Object.keys(campaigns).join(' | ')}\n`)
  process.exit(2)
}

const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)
const say = (text: string) => process.stdout.write(`${String(seconds()).padStart(5)} s  ${text}\n`)

say(`${name}, on ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
const { figures, faults } = await campaign(say)
for (const [figure, value] of Object.entries({ ...figures, 'seconds in all': seconds() }))
  process.stdout.write(`  ${figure.padEnd(48)} ${value}\n`)
for (const fault of faults) process.stdout.write(`  FAULT ${fault}\n`)
say(faults.length === 0 ? 'held' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
