import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import { type Store, startStore } from '@nifty/testkit/store'
import type { Log, Report } from '../campaign/campaign.ts'
import { createRandom } from '../campaign/random.ts'
import { copyNextVersion } from '../rolling/next/version.ts'
import { createCast } from './cast/cast.ts'
import { check } from './checker.ts'
import { drive } from './driver.ts'
import { createFolder, FOLDER_VARIABLE, NEXT_VARIABLE, OLDER_VARIABLE, SEED_VARIABLE } from './folder.ts'
import { addHits, hitsOf, notPassed } from './hits.ts'
import { type Journal, openJournal } from './journal.ts'
import { createMover, createRefusal } from './mover.ts'
import { startNemesis } from './nemesis.ts'
import { createOperator } from './operator.ts'
import { createOperatorsTool } from './operators-tool.ts'
import type { Options } from './options.ts'
import { addProcessorFaults } from './processor-faults.ts'
import { FEE_CAP_GWEI } from './questions/chain.ts'
import { replay } from './replay.ts'
import { restoreDatabase } from './restored-database.ts'
import { rotateKey } from './rotation.ts'
import { dueAt, isLarge, type Schedule } from './schedule.ts'
import { connectServers } from './servers.ts'
import { watchTransactions } from './transactions.ts'

const extension = join(import.meta.dirname, 'extension.ts')
const PROGRESS_MS = 15_000

/** Faster than by default, so that what waits for a poll is over within the time for recovery, and a cap of fees. */
const environment = {
  LOG_LEVEL: 'warn',
  PAYMENTS_POLL_MS: '3000',
  PAYMENTS_BACKFILL_MS: '10000',
  CHAIN_BUMP_AFTER_MS: '5000',
  CHAIN_MAX_FEE_GWEI: String(FEE_CAP_GWEI),
  KAFKA_SESSION_TIMEOUT_MS: '6000',
}

/** Runs a schedule against a store of its own and checks the store afterwards. */
export async function storm(
  schedule: Schedule,
  log: Log,
  { paced = true, hitsFile }: Partial<Options> = {},
): Promise<Report> {
  const { seed, replicas, older, purchases, faults } = schedule
  const folder = await mkdtemp(join(tmpdir(), 'nifty-storm-'))
  const journal = openJournal(createFolder(folder).journal)
  journal.write({ actor: 'storm', what: 'schedule', schedule })
  log(
    `seed ${seed}: ${purchases.length} purchases, ${faults.length} faults; everything is written to ${journal.file}, which stays after a violation`,
  )

  const env = { ...environment, REPLICAS: String(replicas), [FOLDER_VARIABLE]: folder, [SEED_VARIABLE]: seed }
  if (older) {
    const { root } = await copyNextVersion(join(folder, 'next'))
    Object.assign(env, { [NEXT_VARIABLE]: root, [OLDER_VARIABLE]: older })
    log(`one process of ${older} is of the former version, all others of the next one`)
  }
  const store = await startStore({ works: 0, launcher: 'cluster/main.ts', extension, env })
  log(`the store runs in ${store.folder}`)
  let violations: string[] | undefined
  try {
    const report = await stormOn(store, { schedule, folder, journal, log, paced, hitsFile })
    violations = report.violations
    return report
  } finally {
    await store.stop()
    if (violations?.length === 0) {
      await store.remove()
      await rm(folder, { recursive: true })
    } else log(`the store's logs are in ${join(store.folder, 'logs')}`)
  }
}

type Context = { schedule: Schedule; folder: string; journal: Journal; log: Log } & Omit<Options, 'schedule'>

async function stormOn(
  { run, folder: dataDir }: Store,
  { schedule, folder, journal, log, paced, hitsFile }: Context,
): Promise<Report> {
  const { seed, purchases } = schedule
  const files = createFolder(folder)
  const cluster = connectCluster(dataDir)
  const servers = connectServers(run, { folder: dataDir, cluster })
  const operator = await createOperator(dataDir, run)
  const cast = await createCast({ run, auth: operator.auth, random: createRandom(`${seed}.cast`) }, schedule)
  log(`${cast.buyers.size} buyers, ${cast.carts.flat().length} works for sale`)

  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const variables = { NIFTY_HOME: dataDir, CHAIN_RPC_URL: run.chainRpcUrl, CHAIN_OWNER_KEY: secrets.chainDeployerKey }
  const tool = createOperatorsTool(variables, journal)

  const transactions = watchTransactions(dataDir, 'notification')
  writeFileSync(files.active, '')
  const processor = await addProcessorFaults(run, { seed, journal })
  let nemesis: ReturnType<typeof startNemesis> | undefined
  /** Purchases keep pace with the faults; a fault that needs some under way gets one. */
  const mayBegin = (place: number, open: number) =>
    place < dueAt(schedule, (nemesis?.done.faults ?? 0) + 1) || (open === 0 && nemesis?.waitsForPurchases() === true)
  const moveAway = createMover(servers, run.chainId)
  const refuseTokens = createRefusal(servers)
  const driver = drive({ run, folder: dataDir, cast, journal, operator, moveAway, refuseTokens, mayBegin }, schedule)
  nemesis = startNemesis(
    {
      cluster,
      servers,
      files,
      journal,
      underWay: driver.open,
      begun: driver.begun,
      rotateKey: (how) => rotateKey({ tool, seed, servers, signerKey: secrets.chainSignerKey! }, how),
      restoreDatabase: (afterMs, kill) => restoreDatabase({ dataDir, tool, kill }, afterMs),
    },
    schedule,
  )
  const progress = setInterval(
    () => log(`${driver.begun()} purchases begun, ${driver.open()} open, ${nemesis?.done.faults} faults`),
    PROGRESS_MS,
  )
  try {
    await nemesis.finished
    while (driver.begun() < purchases.length) await sleep(20)
    rmSync(files.active)
    await processor.clear()
    await nemesis.heal()
    log(`the last fault is over; ${JSON.stringify(nemesis.done)}`)

    const { histories, answers } = driver
    await transactions.stop()
    const sources = {
      run,
      folder: dataDir,
      servers,
      histories,
      answers,
      elsewhere: operator.elsewhere,
      journal: files.journal,
      transactions: transactions.samples,
    }
    const checked = await check(sources, { log, journal, paced, older: schedule.older })
    // What is not in order yet would change by itself.
    const isInOrder = checked.violations.length === 0
    const replayed = isInOrder
      ? await replay(sources, { world: checked.world, journal })
      : { metrics: {}, violations: ['replay: left out'] }
    const counts = hitsOf(files.journal)
    const { runs, points } = hitsFile ? addHits(hitsFile, counts) : { runs: 1, points: counts }
    log(`hits and kills of each point, in ${runs} runs`)
    for (const { point, hits, kills } of points) log(`${String(hits).padStart(6)} hits, ${kills} kills  ${point}`)
    return {
      metrics: { seed, ...nemesis.done, ...checked.metrics, ...replayed.metrics },
      violations: [
        ...nemesis.failed,
        ...checked.violations,
        ...replayed.violations,
        ...(isLarge(schedule) ? notPassed(counts) : []),
      ],
    }
  } finally {
    clearInterval(progress)
    driver.stop()
    await transactions.stop()
    await servers.stop()
  }
}
