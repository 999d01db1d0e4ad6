import './statement-table.css'
import type { Statement } from '@nifty/api/payments/public'
import { formatPrice } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'

type Entry = Statement['entries'][number]

const kinds = { sale: 'Sale', royalty: 'Royalty' }
const reversals = { refund: 'Refund', dispute: 'Dispute', assignment: 'Correction' }

const isSold = ({ cause }: Entry) => cause === 'capture' || cause === 'write_off'

/** A creator's statement: its sums and their entries. Sums that are usually 0 are shown only when they are not. */
export function StatementTable({ statement: { entries, due, waiting, heldBack, paidOut } }: { statement: Statement }) {
  const sold = entries
    .filter((entry) => entry.kind === 'sale' && isSold(entry))
    .reduce((cents, { price }) => cents + toCents(price), 0)
  return (
    <div className="statement-table">
      <dl className="statement-table__sums">
        <Sum label="Sold" euros={sold / 100} />
        <Sum label="To be paid out" euros={due} />
        {waiting !== 0 && <Sum label="Waiting" euros={waiting} />}
        {heldBack !== 0 && <Sum label="Held back" euros={heldBack} />}
        <Sum label="Paid out" euros={paidOut} />
      </dl>
      {due < 0 && (
        <p>
          A sale that was paid out to you was refunded or disputed later. Your next sales make up for{' '}
          {formatPrice(-due)}.
        </p>
      )}
      <div className="statement-table__scroll">
        <table>
          <caption className="visually-hidden">Every sale, royalty and refund, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Work</th>
              <th scope="col">Date</th>
              <th scope="col">Kind</th>
              <th scope="col">Price</th>
              <th scope="col">Commission</th>
              <th scope="col">Royalty</th>
              <th scope="col">Yours</th>
              <th scope="col">Paid out</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry._id}>
                <th scope="row">{entry.name}</th>
                <td data-label="Date">
                  <Time at={entry.at} as="day" />
                </td>
                <td data-label="Kind">
                  {isSold(entry) ? kinds[entry.kind] : reversals[entry.cause as keyof typeof reversals]}
                </td>
                <td data-label="Price">{formatPrice(entry.price)}</td>
                <td data-label="Commission">{formatPrice(entry.commission)}</td>
                <td data-label="Royalty">{formatPrice(entry.royalty)}</td>
                <td data-label="Yours">
                  <strong>{formatPrice(entry.due)}</strong>
                </td>
                <td data-label="Paid out">
                  <PaidOut entry={entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function PaidOut({ entry: { status, paidOutAt, dueAt } }: { entry: Entry }) {
  if (paidOutAt) return <Time at={paidOutAt} as="day" />
  if (status === 'held_back') return 'Held back: refunded or disputed'
  if (status === 'due') return 'Not yet'
  return (
    <>
      From <Time at={dueAt} as="day" />
    </>
  )
}

const Sum = ({ label, euros }: { label: string; euros: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>{formatPrice(euros)}</dd>
  </div>
)

/** Sums are made of integer cents, without floating-point errors. */
const toCents = (euros: number) => Math.round(euros * 100)
