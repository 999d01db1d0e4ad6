import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { points } from './points.ts'

type Line = { actor: string; what: string; program?: string; point?: string; hits?: Record<string, number> }

export const readJournal = <Entry = Line>(file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)

export type PointCount = { point: string; hits: number; kills: number }

/** Per point, how often processes passed it while faults were injected or not, and how often one was killed there. */
export function hitsOf(file: string): PointCount[] {
  const counts = new Map(
    points.map(({ program, name }) => [`${program}: ${name}`, { hits: 0, kills: 0 }] satisfies [string, object]),
  )
  const add = (point: string, what: 'hits' | 'kills', by: number) => {
    const count = counts.get(point)
    if (count) count[what] += by
  }
  for (const { actor, what, program, point, hits = {} } of readJournal(file)) {
    if (actor !== 'failpoints') continue
    for (const [name, count] of Object.entries(hits)) add(`${program}: ${name}`, 'hits', count)
    if (what === 'killed') add(`${program}: ${point}`, 'kills', 1)
  }
  return [...counts].map(([point, count]) => ({ point, ...count }))
}

type Sums = { runs: number; points: PointCount[] }

/** Adds a run's counts to those of a file, and returns the sums. */
export function addHits(file: string, counts: PointCount[]): Sums {
  const former: Sums = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { runs: 0, points: [] }
  const points = counts.map(({ point, hits, kills }) => {
    const before = former.points.find((each) => each.point === point)
    return { point, hits: hits + (before?.hits ?? 0), kills: kills + (before?.kills ?? 0) }
  })
  const sums = { runs: former.runs + 1, points }
  writeFileSync(file, `${JSON.stringify(sums, undefined, 2)}\n`)
  return sums
}

/** A point that no process of a large run passes names nothing. */
export const notPassed = (counts: PointCount[]) =>
  counts.filter(({ hits }) => hits === 0).map(({ point }) => `no process passed the point ${point}`)
