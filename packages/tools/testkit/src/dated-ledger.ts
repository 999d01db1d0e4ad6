import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An entry of the processor's ledger; `at`: when it was written, ms since 1970; `amount`: cents. */
export type DatedEntry = { at: number; kind: string; reference: string | null; amount: number }

type LedgerRecord = { at: string; entries?: Omit<DatedEntry, 'at'>[] }

/** The ledger of a store's card sandbox as it is on disk, where each entry has its time. */
export async function datedLedger(folder: string): Promise<DatedEntry[]> {
  const text = await readFile(join(folder, 'processor', 'ledger.jsonl'), 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const { at, entries = [] } = JSON.parse(line) as LedgerRecord
      return entries.map((entry) => ({ ...entry, at: Date.parse(at) }))
    })
}

/** What the processor did with the money of an order, like `held 1000`, in sequence; cents. */
export const moneyOf = (entries: DatedEntry[], orderId: string) =>
  entries
    .filter(({ kind, reference }) => reference === orderId && isMoney.has(kind))
    .map(({ kind, amount }) => `${kind} ${amount}`)

const isMoney = new Set(['held', 'captured', 'released', 'refunded'])

/** Cents that are held for an order and neither captured nor released. */
export const heldFor = (entries: DatedEntry[], orderId: string) =>
  entries
    .filter(({ reference }) => reference === orderId)
    .reduce((sum, { kind, amount }) => sum + (signs[kind] ?? 0) * amount, 0)

const signs: Record<string, number> = { held: 1, captured: -1, released: -1 }
