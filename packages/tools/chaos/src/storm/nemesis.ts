import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { connectCluster } from '@nifty/testkit/cluster'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Armed } from './failpoints/failpoint.ts'
import type { createFolder } from './folder.ts'
import type { Journal } from './journal.ts'
import { FEE_CAP_GWEI } from './questions/chain.ts'
import { dueAt, type Fault, type Schedule } from './schedule.ts'
import type { Servers } from './servers.ts'

/** After this time the next fault comes, and the kill stays armed until the last one is over. */
const POINT_WITHIN_MS = 8_000
const LAST_POINTS_WITHIN_MS = 30_000
const READY = { timeoutMs: 180_000, intervalMs: 50 }

const GWEI = 10n ** 9n

type Deps = {
  cluster: ReturnType<typeof connectCluster>
  servers: Servers
  files: ReturnType<typeof createFolder>
  journal: Journal
  /** Number of purchases that are begun and have not ended. */
  underWay: () => number
  begun: () => number
  rotateKey: (how: 'drained' | 'removed') => Promise<void>
  /** Puts catalog's database back to a copy of so many ms ago; `kill` ends its processes. */
  restoreDatabase: (afterMs: number, kill: () => Promise<void>) => Promise<{ republished: Promise<void> }>
}

/** Returns false if there is no such process any more. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}

type Of<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>

/** Injects the faults of a schedule, one after the other, spread over its purchases. */
export function startNemesis(deps: Deps, schedule: Schedule) {
  const { faults, purchases } = schedule
  const { journal, files, cluster, servers, begun, underWay } = deps
  const done = { faults: 0, kills: 0, 'kills at points': 0, 'kills without purchases': 0, 'points not reached': 0 }
  const failed: string[] = []
  /** Faults that go on while the next ones come. */
  const lasting: Promise<unknown>[] = []
  const last = (what: string, fault: Promise<unknown>) =>
    lasting.push(fault.catch((error: Error) => failed.push(`${what}: ${error.message}`)))
  const armed: { fault: Of<'kill'>; reached: Promise<boolean> }[] = []
  let waiting = false

  const find = async (program: string, replica: number) => {
    const all = (await cluster.processes()).filter(({ name }) => name.startsWith(`${program}-`))
    return all.find(({ name }) => name === `${program}-${replica}`) ?? all[0]
  }
  const ready = (program: string) =>
    waitUntil(
      async () => (await cluster.processes()).every(({ name, ready }) => ready || !name.startsWith(`${program}-`)),
      READY,
    )

  /** Signals a process of the program as soon as there is one: it may have been killed just before. Returns its id. */
  const strike = ({ program, replica }: { program: string; replica: number }, name: 'SIGSTOP' | 'SIGKILL') =>
    waitUntil(async () => {
      const found = await find(program, replica)
      return found?.pid !== undefined && signal(found.pid, name) && found.pid
    }, READY)

  function count(atPoint: boolean) {
    if (underWay() === 0) done['kills without purchases']++
    else done.kills++
    if (underWay() > 0 && atPoint) done['kills at points']++
  }

  /** A kill counts only while a purchase is under way. */
  async function untilUnderWay() {
    waiting = true
    while (underWay() === 0 && begun() < purchases.length) await sleep(20)
    waiting = false
  }

  async function killNow({ program, replica }: { program: string; replica: number }) {
    await ready(program)
    await untilUnderWay()
    await strike({ program, replica }, 'SIGKILL')
    count(false)
  }

  /** Resolves with true when a process was killed at the point, with false when the kill was taken back. */
  async function killAtPoint(program: string, { point, skip }: { point: string; skip: number }) {
    const file = files.armed(program, point)
    writeFileSync(file, JSON.stringify({ skip } satisfies Armed))
    while (existsSync(file)) await sleep(20)
    if (takenBack.has(file)) return false
    count(true)
    return true
  }
  const takenBack = new Set<string>()
  const takeBack = ({ program, point }: Of<'kill'>) => {
    const file = files.armed(program, point!)
    takenBack.add(file)
    rmSync(file, { force: true })
  }

  const inject: { [Kind in Fault['kind']]: (fault: Of<Kind>) => Promise<unknown> } = {
    kill: async (fault) => {
      const { program, point, skip } = fault
      if (point === undefined) return killNow(fault)
      await ready(program)
      const reached = killAtPoint(program, { point, skip })
      waiting = true
      const inTime = await Promise.race([reached, sleep(POINT_WITHIN_MS, false)])
      waiting = false
      if (!inTime) armed.push({ fault, reached })
      return { reached: inTime }
    },
    pause: async ({ program, replica, ms }) => {
      const pid = await strike({ program, replica }, 'SIGSTOP')
      // It may be killed meanwhile.
      last(
        'end of a pause',
        sleep(ms).then(() => signal(pid, 'SIGCONT')),
      )
    },
    clock: async ({ program, replica, ms }) => {
      writeFileSync(files.skew(program), String(ms))
      await killNow({ program, replica })
    },
    'server killed': ({ server }) => servers.kill[server](),
    reorg: ({ depth }) => servers.chain('anvil_reorg', [depth, []]),
    'transactions dropped': () => servers.chain('anvil_dropAllTransactions', []),
    'base fee': ({ factor }) => servers.raiseBaseFee(factor),
    'fees above the cap': async ({ ms }) =>
      last('fees above the cap', servers.holdBaseFee(2n * BigInt(FEE_CAP_GWEI) * GWEI, ms)),
    'key rotated': async ({ how }) => last('key rotated', deps.rotateKey(how)),
    'database restored': async ({ ms }) => {
      const { republished } = await deps.restoreDatabase(ms, async () => {
        for (const { name, pid } of await cluster.processes())
          if (pid && name.startsWith('catalog-')) signal(pid, 'SIGKILL')
      })
      last('database restored', republished)
    },
    'no blocks': async ({ ms }) => {
      await servers.chain('evm_setIntervalMining', [0])
      last(
        'end of no blocks',
        sleep(ms).then(() => servers.chain('evm_setIntervalMining', [1])),
      )
    },
  }

  /** Points that no process has reached by the end: a process is killed at any moment instead. */
  async function finishArmed() {
    waiting = true
    await Promise.race([Promise.all(armed.map(({ reached }) => reached)), sleep(LAST_POINTS_WITHIN_MS)])
    for (const { fault, reached } of armed) {
      if (existsSync(files.armed(fault.program, fault.point!))) takeBack(fault)
      if (await reached) continue
      done['points not reached']++
      journal.write({ actor: 'nemesis', what: 'not reached', program: fault.program, point: fault.point })
      await killNow({ program: fault.program, replica: 1 })
    }
    waiting = false
  }

  const running = (async () => {
    for (const [place, fault] of faults.entries()) {
      while (begun() < dueAt(schedule, place + 0.5)) await sleep(20)
      await sleep(fault.afterMs)
      journal.write({ actor: 'nemesis', what: 'begins', place, fault, underWay: underWay() })
      const act = inject[fault.kind] as (fault: Fault) => Promise<unknown>
      const outcome = await act(fault).catch((error: Error) => {
        failed.push(`fault ${place}, ${fault.kind}, failed: ${error.message}`)
        return { failed: error.message }
      })
      journal.write({ actor: 'nemesis', what: 'done', place, kind: fault.kind, outcome })
      done.faults++
    }
    await finishArmed()
    await Promise.all(lasting)
  })()

  return {
    done,
    /** Faults of the schedule that could not be injected. */
    failed,
    /** True while a fault waits until a purchase is under way. */
    waitsForPurchases: () => waiting,
    finished: running,
    /** Ends what still disturbs: processes with a skewed clock. */
    heal: async () => {
      const skewed = new Set(faults.flatMap((fault) => (fault.kind === 'clock' ? [fault.program] : [])))
      for (const program of skewed) {
        rmSync(files.skew(program), { force: true })
        for (const { name, pid } of await cluster.processes())
          if (pid && name.startsWith(`${program}-`)) signal(pid, 'SIGKILL')
      }
      await waitUntil(async () => (await cluster.processes()).every((each) => each.ready), READY)
    },
  }
}
