import './statement-table.css'
import type { Statement } from '@nifty/api/payments/public'
import { formatPrice } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'

const kinds = { sale: 'Sale', royalty: 'Royalty' }

/** A creator's statement: three sums and their entries. */
export function StatementTable({ statement: { entries, due, paidOut } }: { statement: Statement }) {
  const sold = entries.filter(({ kind }) => kind === 'sale').reduce((cents, { price }) => cents + toCents(price), 0)
  return (
    <div className="statement-table">
      <dl className="statement-table__sums">
        <Sum label="Sold" euros={sold / 100} />
        <Sum label="To be paid out" euros={due} />
        <Sum label="Paid out" euros={paidOut} />
      </dl>
      <div className="statement-table__scroll">
        <table>
          <caption className="visually-hidden">Every sale and royalty, newest first</caption>
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
              <tr key={`${entry.lineId}-${entry.kind}`}>
                <th scope="row">{entry.name}</th>
                <td data-label="Date">
                  <Time at={entry.at} as="day" />
                </td>
                <td data-label="Kind">{kinds[entry.kind]}</td>
                <td data-label="Price">{formatPrice(entry.price)}</td>
                <td data-label="Commission">{formatPrice(entry.commission)}</td>
                <td data-label="Royalty">{formatPrice(entry.royalty)}</td>
                <td data-label="Yours">
                  <strong>{formatPrice(entry.due)}</strong>
                </td>
                <td data-label="Paid out">{entry.paidOutAt ? <Time at={entry.paidOutAt} as="day" /> : 'Not yet'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
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
