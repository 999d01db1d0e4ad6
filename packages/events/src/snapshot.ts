import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { incompatibilities, type Recorded } from './compatibility.ts'
import { events } from './events.ts'

/** Every event's schema as it was last recorded, by name. */
export type Snapshot = Record<string, Recorded>

export const snapshotFile = join(import.meta.dirname, '../schemas.json')

export const readSnapshot = (): Snapshot => JSON.parse(readFileSync(snapshotFile, 'utf8'))

/** The schemas as the code has them. */
export const presentSnapshot = (): Snapshot =>
  Object.fromEntries(
    events
      .map(({ name, key, data }) => [name, { key, data: JSON.parse(JSON.stringify(data)) }] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

export const snapshotText = (snapshot: Snapshot) => `${JSON.stringify(snapshot, undefined, 2)}\n`

/** Each change that services of the former release do not understand, and what to do instead. */
export function refusedChanges(recorded: Snapshot, present: Snapshot): string[] {
  return Object.entries(recorded).flatMap(([name, before]) => {
    const now = present[name]
    if (!now) return [`${name} was removed or renamed. ${REMOVE}`]
    const changes = incompatibilities(before.data, now.data)
    if (before.key !== now.key) changes.push(`its key was ${before.key} and is ${now.key}`)
    return changes.map((change) => `${name}: ${change}. ${successorOf(name)}`)
  })
}

const UNRELEASED =
  'If no release has it yet, delete its entry in packages/events/schemas.json and run `pnpm events:record`.'

const REMOVE = `Services of the former release still publish and consume it: remove it one release after its successor came. If that is now, or no release has it, delete its entry in packages/events/schemas.json and run \`pnpm events:record\`.`

const successorOf = (name: string) =>
  `Leave it as it is, add ${name.replace(/\d+$/, (version) => String(Number(version) + 1))} with the new schema, publish both for one release, and consume both (packages/events/README.md). ${UNRELEASED}`
