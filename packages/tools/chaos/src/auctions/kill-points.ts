import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Program } from '@nifty/api/services'
import type { createFolder } from '../storm/folder.ts'

/** Points are written to the journal every second. */
export const FLUSHED_MS = 1_500

type Hits = { what: string; program: Program; hits: Record<string, number> }

/** A place in a program at which its process is killed. */
export type KillPoint = { program: Program; point: string }

/** Arms kills at failpoints of a cluster's processes, and reads which points were passed. */
export function killPoints(files: ReturnType<typeof createFolder>) {
  let read = 0
  const waits = ({ program, point }: KillPoint) => existsSync(files.armed(program, point))

  return {
    /** The points that were passed since the last call, by program. */
    passed: (): Map<Program, string[]> => {
      const lines = existsSync(files.journal) ? readFileSync(files.journal, 'utf8').split('\n').slice(0, -1) : []
      const points = new Map<Program, Set<string>>()
      for (const line of lines.slice(read)) {
        const { what, program, hits } = JSON.parse(line) as Hits
        if (what !== 'hits') continue
        const known = points.get(program) ?? new Set()
        for (const point of Object.keys(hits)) known.add(point)
        points.set(program, known)
      }
      read = lines.length
      return new Map([...points].map(([program, known]) => [program, [...known].sort()]))
    },
    /** The next process of the program that passes the point is killed. */
    arm: ({ program, point }: KillPoint) => writeFileSync(files.armed(program, point), JSON.stringify({ skip: 0 })),
    waits,
    /** Takes a kill back. Returns false if a process was killed there. */
    disarm: (kill: KillPoint): boolean => {
      const isWaiting = waits(kill)
      rmSync(files.armed(kill.program, kill.point), { force: true })
      return isWaiting
    },
  }
}
