import type { Statement } from '@nifty/api/payments/public'

/**
 * The entries of a statement as CSV, in euros and UTC. Names that a spreadsheet would take for a formula are escaped;
 * the library is loaded with the first download.
 */
export async function statementCsv({ entries }: Statement): Promise<string> {
  const { unparse } = (await import('papaparse')).default
  const rows = entries.map(({ at, name, kind, cause, price, commission, royalty, due, status, dueAt, paidOutAt }) => ({
    date: at,
    work: name,
    kind,
    cause,
    price_eur: price,
    commission_eur: commission,
    royalty_eur: royalty,
    yours_eur: due,
    status,
    due_at: dueAt,
    paid_out_at: paidOutAt,
  }))
  return unparse(rows, { escapeFormulae: true })
}

/** Saves it as a file of the browser. The mark at its start makes Excel read it as UTF-8. */
export async function saveStatement(statement: Statement) {
  const url = URL.createObjectURL(
    new Blob(['\uFEFF', await statementCsv(statement)], { type: 'text/csv;charset=utf-8' }),
  )
  const link = Object.assign(document.createElement('a'), { href: url, download: `statement-${statement.month}.csv` })
  link.click()
  URL.revokeObjectURL(url)
}
