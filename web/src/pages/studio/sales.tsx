import type { Statement } from '@nifty/api/payments/public'
import { useState } from 'react'
import { useStatement, useStatementPage } from '../../orders/use-statement.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/forms/field.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { type CsvFormat, saveStatement } from './statement-csv.ts'
import { StatementSums, StatementTable } from './statement-table.tsx'

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const nameOf = (month: string) => monthName.format(new Date(`${month}-01`))

// Without a reload by itself: the page has the form of a new work.
const download = (month: string, format: CsvFormat) =>
  saveStatement(month, format).catch(() =>
    toast.error('The file could not be made. Please reload the page and try again.'),
  )

/** The creator's sums, and the entries of one month. */
export function Sales() {
  const [chosen, setChosen] = useState<string>()
  const [format, setFormat] = useState<CsvFormat>('point')
  const [busy, run] = useBusy()
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
        <Button
          variant="secondary"
          onClick={() => void run(() => download(month, format))}
          disabled={isLoading}
          busy={busy}
          busyLabel="Collecting..."
        >
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
      <Entries key={month} statement={statement} month={month} />
    </div>
  )
}

/** The entries of a month, page by page. */
function Entries({ statement, month }: { statement: Statement; month: string }) {
  /** Where the pages behind the first one begin, up to the one that is shown. */
  const [starts, setStarts] = useState<string[]>([])
  const { entries: further, error, reload } = useStatementPage(month, starts.at(-1))
  const page = starts.length === 0 ? statement : further
  const number = starts.length + 1
  const onPage = (chosen: number) => {
    if (chosen < number) setStarts(starts.slice(0, -1))
    else if (page?.next) setStarts([...starts, page.next])
  }
  return (
    <>
      {page && (
        <StatementTable
          entries={page.entries}
          caption={`Sales, royalties and refunds of ${nameOf(month)}, newest first`}
        />
      )}
      {!page && !error && <Spinner label="Loading the page" />}
      {!page && error && (
        <p role="alert">
          This page could not be loaded.{' '}
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </p>
      )}
      {(statement.next || number > 1) && (
        <Pagination
          page={number}
          hasNext={!page || page.next !== null}
          onPage={onPage}
          label={`Pages of ${nameOf(month)}`}
        />
      )}
    </>
  )
}
