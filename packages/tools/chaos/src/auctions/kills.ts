import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '@nifty/api/services'
import { connectCluster } from '@nifty/testkit/cluster'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Campaign, Log, Report } from '../campaign/campaign.ts'
import { lostEvents } from '../campaign/messages.ts'
import { operate } from '../campaign/operate.ts'
import { closeShop, logInOwner, openShop } from '../campaign/shop.ts'
import { createFolder, FOLDER_VARIABLE, SEED_VARIABLE } from '../storm/folder.ts'
import { biddersOf } from './bidding.ts'
import { FLUSHED_MS, type KillPoint, killPoints } from './kill-points.ts'
import { compareFailed, compareMails, compareSold } from './outcome.ts'
import { type Course, failure, type Step, steps } from './steps.ts'

const WORKS = 40
const PRICE = 32
/** Kills without a point: these programs pass none while an auction goes on. */
const BY_TIME: Program[] = ['gateway', 'auth']
const REACHED_WITHIN_MS = 8_000
const READY = { timeoutMs: 180_000, intervalMs: 100 }
/** A mail is claimed for some minutes by a process that is killed with it. */
const MAILS_WITHIN_MS = 600_000

/**
 * Each process of a cluster is killed (SIGKILL) before and after each effect of each step of an auction, one point of
 * every program in each course. Expected: each course ends as without kills, by processor, chain, market and mails.
 * With names of steps only those are disturbed. Undefined: a name is of no step.
 */
export function auctionKills(names: string[]): Campaign | undefined {
  const known = [...steps, failure].map(({ name }) => name)
  if (!names.every((name) => known.includes(name))) return undefined
  return (log) => killProcesses(log, names.length === 0 ? known : names)
}

async function killProcesses(log: Log, chosen: string[]): Promise<Report> {
  const shared = await mkdtemp(join(tmpdir(), 'nifty-auction-kills-'))
  const points = killPoints(createFolder(shared))
  const env = { REPLICAS: '1', [FOLDER_VARIABLE]: shared, [SEED_VARIABLE]: 'auction-kills' }
  const extension = join(import.meta.dirname, 'extension.ts')
  const shop = await openShop({ log, works: WORKS, launcher: 'cluster/main.ts', extension, env })
  const store = { run: shop.run, folder: shop.store.folder, chain: shop.chain }
  const cluster = connectCluster(store.folder)
  const bidders = await biddersOf(shop.run, 4)
  const violations: string[] = []
  const count = { kills: 0, 'not reached': 0 }
  const untilReady = () => waitUntil(async () => (await cluster.processes()).every(({ ready }) => ready), READY)
  const works = [...shop.works]

  async function newCourse(work = works.shift()!): Promise<Course> {
    const [winner, , , first] = bidders
    const seller = await logInOwner(shop.run, work)
    return { work, id: '', opening: 10, bids: [], seller, first: first!, winner: winner! }
  }

  /** The points that each step passes, by program. */
  async function record(all: Step[], course: Course) {
    const passed = new Map<Step, Map<Program, string[]>>()
    for (const step of all) {
      points.passed()
      await step.run(store, course)
      await sleep(FLUSHED_MS)
      passed.set(step, points.passed())
    }
    return passed
  }

  /** Runs a step while processes are killed; those at points that were not passed are taken back. */
  async function runKilled(step: Step, course: Course, { kills, byTime }: { kills: KillPoint[]; byTime?: Program }) {
    for (const kill of kills) points.arm(kill)
    const killing = byTime && sleep(Math.random() * 500).then(() => cluster.kill(`${byTime}-1`))
    await step.run(store, course)
    await killing
    const until = performance.now() + REACHED_WITHIN_MS
    while (performance.now() < until && kills.some(points.waits)) await sleep(100)
    const missed = kills.filter(points.disarm)
    count.kills += kills.length - missed.length + (byTime ? 1 : 0)
    count['not reached'] += missed.length
    await untilReady()
  }

  /** One course for each point of the program with most of them. */
  async function runCourses(all: Step[], passed: Map<Step, Map<Program, string[]>>, run: Runs) {
    const killed = all.filter((step) => passed.has(step))
    if (killed.length === 0) return 0
    const sizes = killed.flatMap((step) => [...passed.get(step)!.values()].map(({ length }) => length))
    const courses = Math.max(...sizes, BY_TIME.length)
    for (let place = 0; place < courses; place++) {
      const course = await run.begin()
      for (const step of all) {
        const kills = [...(passed.get(step) ?? [])].flatMap(([program, names]): KillPoint[] => {
          const point = names[place]
          return point === undefined ? [] : [{ program, point }]
        })
        const byTime = passed.has(step) ? BY_TIME[place] : undefined
        const failed = await runKilled(step, course, { kills, byTime }).catch((error: Error) => error)
        if (!failed) continue
        violations.push(
          `${step.name}, killed at ${kills.map((kill) => Object.values(kill).join(' ')).join(' · ')}: ${failed.message}`,
        )
        for (const kill of kills) points.disarm(kill)
        await untilReady()
        break
      }
      if (course.bids.length > 0)
        violations.push(...(await run.compare(course).catch((error: Error) => [error.message])))
      log(`${place + 1} of ${courses} courses, ${count.kills} kills, ${violations.length} violations`)
    }
    return courses
  }

  const sold: Course[] = []
  const model = await newCourse()
  const passed = await record(steps, model)
  sold.push(model)
  for (const [{ name }, programs] of passed)
    log(`${name}: ${[...programs].map(([program, names]) => `${program} ${names.length}`).join(', ')} points`)
  const ofChosen = [...passed].filter(([{ name }]) => chosen.includes(name))
  const sales = await runCourses(steps, new Map(ofChosen), {
    begin: async () => {
      const course = await newCourse()
      sold.push(course)
      return course
    },
    compare: (course) => compareSold(store, course, PRICE),
  })

  const refused = works.shift()!
  const holder = await shop.chain.ownerOf(refused)
  const begin = async () => {
    const course = await newCourse(refused)
    return { ...course, first: bidders[1]!, winner: bidders[1]! }
  }
  const failing = [...steps.slice(0, 3), failure]
  const ofFailure = [...(await record(failing, await begin()))].filter(
    ([step]) => step === failure && chosen.includes(step.name),
  )
  const failures = await runCourses(failing, new Map(ofFailure), {
    begin,
    compare: (course) => compareFailed(store, course, holder),
  })

  for (const course of sold) violations.push(...(await compareMails(shop.run, course, { timeoutMs: MAILS_WITHIN_MS })))
  const { events, violations: lost } = await lostEvents(store.folder)
  violations.push(...lost)
  const balance = (await operate(store.folder, ['reconcile', 'all'])).split('\n')
  if (!balance.some((line) => line.startsWith('Balanced'))) violations.push(`reconcile: ${balance.at(-1)}`)
  await closeShop(shop, { violations, log })
  await rm(shared, { recursive: true, force: true })
  return {
    metrics: {
      'auctions with a sale': sales + 1,
      'auctions whose delivery failed': failures + 1,
      'processes killed': count.kills,
      'points that a step did not pass again': count['not reached'],
      'events compared': events,
      reconcile: balance.find((line) => line.startsWith('Balanced')) ?? 'not balanced',
    },
    violations,
  }
}

type Runs = { begin: () => Promise<Course>; compare: (course: Course) => Promise<string[]> }
