import type { Statement } from '@nifty/api/payments/public'
import { useState } from 'react'
import { useStatement } from '../../orders/use-statement.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/forms/field.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { type CsvFormat, saveStatement } from './statement-csv.ts'
import { StatementSums, StatementTable } from './statement-table.tsx'

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const nameOf = (month: string) => monthName.format(new Date(`${month}-01`))

// Without a reload by itself: the page has the form of a new work.
const download = (statement: Statement, format: CsvFormat) =>
  saveStatement(statement, format).catch(() =>
    toast.error('The file could not be made. Please reload the page and try again.'),
  )

/** The creator's sums, and the entries of one month. */
export function Sales() {
  const [chosen, setChosen] = useState<string>()
  const [format, setFormat] = useState<CsvFormat>('point')
  const { statement, error, reload } = useStatement(chosen)
  if (!statement && error) {
    return (
      <Empty title="Your statement could not be loaded.">
        <Button variant="secondary" onClick={() => void reload()}>
          Try again
        </Button>
      </Empty>
    )
  }
  if (!statement) return <Spinner label="Loading your statement" />
  const { months, month } = statement
  /** The month before is shown until the chosen one is loaded. */
  const isLoading = chosen !== undefined && chosen !== month
  if (!month) {
    return (
      <Empty title="Nothing has been sold yet">
        <p>Each sale appears here with its commission, its royalty and your share, once the work has been delivered.</p>
      </Empty>
    )
  }
  return (
    <div className="statement">
      <StatementSums statement={statement} />
      <div className="statement__month">
        <Select label="Month" value={chosen ?? month} onChange={(event) => setChosen(event.target.value)}>
          {months.map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </Select>
        <Select
          label="Numbers in the file"
          value={format}
          onChange={(event) => setFormat(event.target.value as CsvFormat)}
        >
          <option value="point">1234.56</option>
          <option value="comma">1234,56 (for Excel in most of Europe)</option>
        </Select>
        <Button variant="secondary" onClick={() => void download(statement, format)} disabled={isLoading}>
          Download CSV
        </Button>
      </div>
      {isLoading && error && (
        <p role="alert">
          {nameOf(chosen)} could not be loaded.{' '}
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </p>
      )}
      <StatementTable
        statement={statement}
        caption={`Sales, royalties and refunds of ${nameOf(month)}, newest first`}
      />
    </div>
  )
}
