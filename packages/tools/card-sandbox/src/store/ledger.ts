import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredResponse } from '../api/idempotency.ts'
import type { LedgerEntry, StoredObject } from './object.ts'

/** An atomic change of the state. It is one line of the ledger: written completely, or not at all. */
export type LedgerChange = {
  entries?: LedgerEntry[]
  objects?: StoredObject[]
  response?: StoredResponse
  advanceMs?: number
  delivery?: { event: string; outcome: 'delivered' | 'lost' | 'failed' }
}

export type LedgerRecord = LedgerChange & {
  seq: number
  /** Real time (ISO) and the sandbox's clock (seconds). */
  at: string
  clock: number
}

export type Ledger = {
  records: LedgerRecord[]
  append: (record: LedgerRecord) => void
  close: () => void
}

const fileName = 'ledger.jsonl'

/** Reads complete lines and truncates an incomplete last one: no response was sent for its change. */
function readRecords(file: string): LedgerRecord[] {
  const content = readFileSync(file)
  const complete = content.subarray(0, content.lastIndexOf(0x0a) + 1)
  if (complete.length < content.length) truncateSync(file, complete.length)
  return complete
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const record: LedgerRecord = JSON.parse(line)
      if (record.seq !== index + 1) throw new Error(`The ledger ${file} is damaged at line ${index + 1}.`)
      return record
    })
}

/** Opens the append-only ledger of a data directory. A record is on disk (fsync) before `append` returns. */
export function openLedger(dataDir: string): Ledger {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, fileName)
  const descriptor = openSync(file, 'a')
  return {
    records: readRecords(file),
    append: (record) => {
      appendFileSync(descriptor, `${JSON.stringify(record)}\n`)
      fsyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
  }
}
