import { setTimeout as sleep } from 'node:timers/promises'
import { programs } from '@nifty/api/services'
import { readProcess } from '../processes/processes.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { idle as targets } from '../run/targets.ts'

const SECONDS = { whole: 30, short: 6 }

/** What a cluster without visitors uses: CPU time and wake-ups of each process, statements and RPC calls a second. */
export async function benchIdle({ form, cluster }: Run): Promise<Figure[]> {
  const { untilQuiet, pids, postgres, rpcCalls } = await cluster()
  await untilQuiet()
  const seconds = SECONDS[form]
  const read = async () => ({
    postgresMs: postgres.cpuMs(),
    rpc: await rpcCalls(),
    processes: Object.fromEntries(programs.map((program) => [program, readProcess(pids[program])])),
  })
  const before = await read()
  await sleep(seconds * 1_000)
  const after = await read()
  // Counted in a time of its own: counting costs PostgreSQL CPU time.
  const statements = await postgres.countStatements(() => sleep(seconds * 1_000))

  const used = (program: string, what: 'cpuMs' | 'wakeUps') =>
    (after.processes[program]![what] - before.processes[program]![what]) / seconds
  return [
    ...programs.map((program) => ({ target: targets.cpu[program], figure: used(program, 'cpuMs') })),
    ...programs.map((program) => ({ target: targets.wakeUps[program], figure: used(program, 'wakeUps') })),
    { target: targets.statements, figure: statements / seconds },
    { target: targets.rpcCalls, figure: (after.rpc - before.rpc) / seconds },
    { name: 'PostgreSQL: CPU while idle', unit: 'ms/s', figure: (after.postgresMs - before.postgresMs) / seconds },
  ]
}
