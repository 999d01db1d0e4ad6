import { listStatementEntries, type StatementEntry } from '@nifty/api/payments/public'
import { STATEMENT_PAGE_AT_MOST } from '@nifty/api/payments/statement-page'
import { request } from '../../api/api.ts'
import { saveFile } from '../../ui/save-file.ts'

/** `comma`: as spreadsheets of most European countries read numbers, lists and times; `point`: as programs do. */
export type CsvFormat = 'point' | 'comma'

/**
 * Entries of a statement as CSV, in euros and UTC, with or without the names of the columns. Names that a spreadsheet
 * would take for a formula are escaped; the library is loaded with the first download.
 */
export async function statementCsv(entries: StatementEntry[], format: CsvFormat, header = true): Promise<string> {
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
  const escapeFormulae = /^(?!-\d+(,\d+)?$)[=+\-@\t\r]/
  return unparse(rows, { escapeFormulae, header, delimiter: format === 'comma' ? ';' : ',' })
}

/**
 * The sign of price, commission and royalty, which an entry has from its line: that of a reversal is the opposite, so
 * that each column can be summed. Null where only a part is reversed.
 */
function signOf({ kind, cause, price, commission, royalty, due }: StatementEntry): 1 | -1 | null {
  if (cause === 'capture' || cause === 'write_off') return 1
  const cents = Math.round(100 * (kind === 'royalty' ? royalty : price - commission - royalty))
  if (Math.round(100 * Math.abs(due)) !== cents) return null
  return due < 0 ? -1 : 1
}

/**
 * Saves all entries of a month as a file of the browser, which reads them page by page. The mark at its start makes
 * Excel read it as UTF-8. Rejects with an ApiError, and saves nothing, when a page does not come.
 */
export async function saveStatement(month: string, format: CsvFormat) {
  const parts = ['\uFEFF']
  for (let after: string | null | undefined; after !== null; ) {
    const query = { month, after, limit: String(STATEMENT_PAGE_AT_MOST) }
    const page = await request(listStatementEntries, { query })
    const isFirst = after === undefined
    if (!isFirst) parts.push('\r\n')
    parts.push(await statementCsv(page.entries, format, isFirst))
    after = page.next
  }
  saveFile(`statement-${month}.csv`, parts, 'text/csv;charset=utf-8')
}
