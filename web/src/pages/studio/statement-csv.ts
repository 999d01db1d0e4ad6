import type { Statement } from '@nifty/api/payments/public'

/** `comma`: as spreadsheets of most European countries read numbers, lists and times; `point`: as programs do. */
export type CsvFormat = 'point' | 'comma'

type Entry = Statement['entries'][number]

/**
 * The entries of a statement as CSV, in euros and UTC. Names that a spreadsheet would take for a formula are escaped;
 * the library is loaded with the first download.
 */
export async function statementCsv({ entries }: Statement, format: CsvFormat): Promise<string> {
  const { unparse } = (await import('papaparse')).default
  const amount = (euros: number | null) =>
    euros === null ? '' : format === 'comma' ? euros.toFixed(2).replace('.', ',') : euros
  const time = (iso: string | null) => (format === 'comma' && iso ? iso.slice(0, 19).replace('T', ' ') : iso)
  const rows = entries.map((entry) => {
    const sign = signOf(entry)
    const signed = (euros: number) => amount(sign && euros * sign)
    return {
      date: time(entry.at),
      work: entry.name,
      kind: entry.kind,
      cause: entry.cause,
      price_eur: signed(entry.price),
      commission_eur: signed(entry.commission),
      royalty_eur: signed(entry.royalty),
      yours_eur: amount(entry.due),
      status: entry.status,
      due_at: time(entry.dueAt),
      paid_out_at: time(entry.paidOutAt),
    }
  })
  // An amount below zero is a number, and no formula.
  return unparse(rows, { escapeFormulae: /^(?!-\d+(,\d+)?$)[=+\-@\t\r]/, delimiter: format === 'comma' ? ';' : ',' })
}

/**
 * The sign of price, commission and royalty, which an entry has from its line: that of a reversal is the opposite, so
 * that each column can be summed. Null where only a part is reversed.
 */
function signOf({ kind, cause, price, commission, royalty, due }: Entry): 1 | -1 | null {
  if (cause === 'capture' || cause === 'write_off') return 1
  const cents = Math.round(100 * (kind === 'royalty' ? royalty : price - commission - royalty))
  if (Math.round(100 * Math.abs(due)) !== cents) return null
  return due < 0 ? -1 : 1
}

/** Saves it as a file of the browser. The mark at its start makes Excel read it as UTF-8. */
export async function saveStatement(statement: Statement, format: CsvFormat) {
  const url = URL.createObjectURL(
    new Blob(['\uFEFF', await statementCsv(statement, format)], { type: 'text/csv;charset=utf-8' }),
  )
  const link = Object.assign(document.createElement('a'), { href: url, download: `statement-${statement.month}.csv` })
  link.click()
  URL.revokeObjectURL(url)
}
