import './statement-table.css'
import type { Statement, StatementEntry } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { Time } from '../../ui/time.tsx'

const kinds = { sale: 'Sale', royalty: 'Royalty' }
const reversals = { refund: 'Refund', dispute: 'Dispute', assignment: 'Correction' }

const isSold = ({ cause }: StatementEntry) => cause === 'capture' || cause === 'write_off'

/** What a creator is owed and was paid, of all months. Sums that are usually 0 are shown only when they are not. */
export function StatementSums({ statement: { due, waiting, heldBack, paidOut } }: { statement: Statement }) {
  return (
    <>
      <dl className="statement__sums">
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
    </>
  )
}

/** Entries of a month, with days in UTC as the month is. */
export function StatementTable({ entries, caption }: { entries: StatementEntry[]; caption: string }) {
  return (
    <div className="statement__scroll">
      <table>
        <caption className="visually-hidden">{caption}</caption>
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
                <Time at={entry.at} as="utcDay" />
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
  )
}

const heldBack = {
  disputed: 'Held back: disputed by the buyer’s bank',
  fraud_warning: 'Held back: the buyer’s bank warned of fraud',
  inquiry: 'Held back: the buyer’s bank inquires',
  not_assigned: 'Held back: a part of the order was refunded',
  refund_pending: 'Held back: a refund is under way',
  undecided: 'Held back: refunded, we decide who bears it',
}

function PaidOut({ entry: { status, heldBecause, paidOutAt, dueAt } }: { entry: StatementEntry }) {
  if (paidOutAt) return <Time at={paidOutAt} as="utcDay" />
  if (status === 'held_back') return heldBack[heldBecause ?? 'undecided']
  if (status === 'due') return 'Not yet'
  return (
    <span>
      From <Time at={dueAt} as="utcDay" />
    </span>
  )
}

const Sum = ({ label, euros }: { label: string; euros: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>{formatPrice(euros)}</dd>
  </div>
)
