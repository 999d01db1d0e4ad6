import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the variable with the folder that the campaign shares with the processes of its store. */
export const FOLDER_VARIABLE = 'STORM_FOLDER'
export const SEED_VARIABLE = 'STORM_SEED'
/** Root of the next version's copy of the workspace, and the program of which one process is of this version. */
export const NEXT_VARIABLE = 'STORM_NEXT_ROOT'
export const OLDER_VARIABLE = 'STORM_OLDER'

/** Files by which the campaign and the processes of its store exchange faults. */
export const filesOf = (folder: string) => ({
  journal: join(folder, 'journal.jsonl'),
  /** Exists while faults by chance are to be injected. */
  active: join(folder, 'active'),
  /** A kill at a point waits in a file of this name until a process reaches the point. */
  armed: (program: string, point: string) => join(folder, 'armed', `${program}.${encodeURIComponent(point)}`),
  /** The clock of the next process of the program, in ms from the machine's. */
  skew: (program: string) => join(folder, 'skew', program),
  starts: (program: string, count: number) => join(folder, 'starts', `${program}.${count}`),
})

export function createFolder(folder: string) {
  for (const name of ['armed', 'skew', 'starts']) mkdirSync(join(folder, name), { recursive: true })
  return filesOf(folder)
}
