import { setTimeout as sleep } from 'node:timers/promises'
import { programs } from '@nifty/api/services'
import type { RunFile } from '@nifty/testkit/run-file'
import { residentMb } from '../processes/processes.ts'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizeOf } from '../run/sizes.ts'
import { memory as targets } from '../run/targets.ts'
import { withStore } from '../store/store.ts'
import { startLoad } from './load.ts'

/** `BENCH_MINUTES` replaces them, to try the part. */
const MINUTES = sizeOf('BENCH_MINUTES', 10)
const SAMPLE_MS = 1_000
/** A figure is the median of so many samples: memory swings with each collection of garbage. */
const SAMPLES = 30

/**
 * Resident memory after ten minutes of reading, logging in and buying: of a cluster's processes, and of the one-process
 * store.
 */
export async function benchMemory({ cluster, log }: Run): Promise<Figure[]> {
  const { run, pids } = await cluster()
  const inCluster = await measureUnderLoad(run, { pids: programs.map((program) => pids[program]), log })
  const inStore = await withStore(({ run, pid }) => measureUnderLoad(run, { pids: [pid()], log }))
  const [store] = inStore.processes
  return [
    ...programs.map((program, place) => ({
      target: targets.process[program],
      figure: inCluster.processes[place]!.end,
    })),
    { target: targets.store, figure: store!.end },
    { target: targets.growth, figure: store!.end - store!.middle },
    ...[inCluster, inStore].flatMap(({ requests, purchases }, place) => {
      const form = ['cluster', 'one process'][place]
      return [
        { name: `${form}: requests meanwhile`, unit: '', figure: requests },
        { name: `${form}: purchases meanwhile`, unit: '', figure: purchases },
      ]
    }),
  ]
}

/** The memory of each process after half of the time, and at the end, MB. */
async function measureUnderLoad(run: RunFile, { pids, log }: { pids: number[]; log: Run['log'] }) {
  const load = await startLoad(run)
  const began = performance.now()
  const sampleUntil = async (minutes: number) => {
    await sleep(Math.max(0, minutes * 60_000 - SAMPLES * SAMPLE_MS - (performance.now() - began)))
    const samples: number[][] = []
    while (samples.length < SAMPLES) {
      samples.push(pids.map(residentMb))
      await sleep(SAMPLE_MS)
    }
    log(`${minutes} minutes: ${samples.at(-1)!.map(Math.round).join(', ')} MB`)
    return pids.map((_, process) => median(samples.map((sample) => sample[process]!)))
  }
  const middle = await sampleUntil(MINUTES / 2)
  const end = await sampleUntil(MINUTES)
  await load.stop()
  return {
    processes: pids.map((_, process) => ({ middle: middle[process]!, end: end[process]! })),
    requests: load.requests(),
    purchases: load.purchases(),
  }
}
