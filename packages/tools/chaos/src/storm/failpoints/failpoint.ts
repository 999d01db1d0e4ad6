import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { createRandom, type Random } from '../../campaign/random.ts'
import { FOLDER_VARIABLE, filesOf, SEED_VARIABLE } from '../folder.ts'
import { openJournal } from '../journal.ts'

const FLUSH_MS = 1_000

/** Where a kill at a point waits: how often the point is passed before. */
export type Armed = { skip: number }

export type Failpoints = ReturnType<typeof openFailpoints>

/** The failpoints of this process. */
export function openFailpoints(env: NodeJS.ProcessEnv) {
  const files = filesOf(env[FOLDER_VARIABLE]!)
  const journal = openJournal(files.journal)
  // …/services/payments/src/main.ts
  const program = basename(dirname(dirname(process.argv[1]!)))
  const start = countStart((count) => files.starts(program, count))
  const random = createRandom(`${env[SEED_VARIABLE]}.${program}.${start}`)
  let hits: Record<string, number> = {}

  function flush() {
    if (Object.keys(hits).length > 0) journal.write({ actor: 'failpoints', what: 'hits', program, start, hits })
    hits = {}
  }
  setInterval(flush, FLUSH_MS).unref()

  return {
    program,
    start,
    files,
    journal,
    random: random as Random,
    /** False before the first purchase, and once the campaign only waits for the store to recover. */
    active: () => existsSync(files.active),
    /** Kills this process if a kill is armed at this point. */
    hit: (point: string) => {
      hits[point] = (hits[point] ?? 0) + 1
      if (!claim(files.armed(program, point))) return
      flush()
      journal.write({ actor: 'failpoints', what: 'killed', program, start, point })
      process.kill(process.pid, 'SIGKILL')
    },
  }
}

/** True for the process that takes the kill. */
function claim(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const { skip } = JSON.parse(readFileSync(file, 'utf8')) as Armed
    if (skip > 0) {
      writeFileSync(file, JSON.stringify({ skip: skip - 1 }))
      return false
    }
    rmSync(file)
    return true
  } catch {
    // Another replica of the program took it.
    return false
  }
}

/** Number of the processes of this program that started before. */
function countStart(fileOf: (count: number) => string): number {
  for (let count = 0; ; count++) {
    try {
      mkdirSync(fileOf(count))
      return count
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
