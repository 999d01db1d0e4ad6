import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredAnswer } from '../api/idempotency.ts'
import type { Fact, Thing } from './object.ts'

/** What one step changed. A step is one line: it is there as a whole, or not at all. */
export type Step = {
  facts?: Fact[]
  puts?: Thing[]
  answer?: StoredAnswer
  advanceMs?: number
  delivery?: { event: string; outcome: 'delivered' | 'lost' | 'given_up' }
}

export type Line = Step & {
  seq: number
  /** Real time (ISO) and the processor's own (seconds). */
  at: string
  clock: number
}

export type Ledger = {
  lines: Line[]
  append: (line: Line) => void
  close: () => void
}

const fileName = 'ledger.jsonl'

/** Reads whole lines. A torn last one never happened: its step was not answered to anybody. */
function readLines(file: string): Line[] {
  const content = readFileSync(file)
  const whole = content.subarray(0, content.lastIndexOf(0x0a) + 1)
  if (whole.length < content.length) truncateSync(file, whole.length)
  return whole
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const read: Line = JSON.parse(line)
      if (read.seq !== index + 1) throw new Error(`The ledger ${file} is damaged at line ${index + 1}.`)
      return read
    })
}

/** Opens the append-only ledger in a folder. A line is on the disk before `append` returns. */
export function openLedger(home: string): Ledger {
  mkdirSync(home, { recursive: true })
  const file = join(home, fileName)
  const descriptor = openSync(file, 'a')
  return {
    lines: readLines(file),
    append: (line) => {
      appendFileSync(descriptor, `${JSON.stringify(line)}\n`)
      fsyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
  }
}
