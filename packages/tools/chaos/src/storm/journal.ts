import { appendFileSync } from 'node:fs'

/** One line of the journal: an action, its response, or a fault. */
export type Entry = { actor: string; what: string } & Record<string, unknown>

export type Journal = { file: string; write: (entry: Entry) => void }

/**
 * Appends lines of JSON to a file that several processes share: each line is one write, and a process that is killed
 * after it has written it loses nothing.
 */
export const openJournal = (file: string): Journal => ({
  file,
  write: (entry) => appendFileSync(file, `${JSON.stringify({ at: new Date(realNow()).toISOString(), ...entry })}\n`),
})

/** The machine's clock, also in a process whose `Date` is skewed. */
const realNow = () => performance.timeOrigin + performance.now()
