import '../../print/print.css'
import './receipt.css'
import { orderNumber } from '@nifty/api/order-number'
import type { LineState } from '@nifty/api/payments/line-states'
import type { Order } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { storeName } from '../../api/store-name.ts'
import { useCompany } from '../../api/use-config.ts'
import { deliveryFact } from '../../orders/order-copy.ts'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'

type Props = { order: Order; buyer: { name: string; email: string } | undefined }

const chargedStates: readonly LineState[] = ['completed', 'refunded', 'disputed']
const notes: Partial<Record<LineState, string>> = { released: 'Not delivered, not charged', refunded: 'Refunded' }

/** A printable receipt of an order. */
export function Receipt({ order, buyer }: Props) {
  const company = useCompany()
  const { _id, createdAt, captured, termsVersion, lines, timeline } = order
  const chargedAt = timeline.findLast(({ state }) => state === 'completed')?.at
  return (
    <section className="print-sheet receipt" aria-label="Receipt">
      <div className="receipt__head">
        <p className="print-sheet__logo">{storeName}</p>
        <address>
          {company.name}
          <br />
          {company.address.map((line) => (
            <span key={line}>
              {line}
              <br />
            </span>
          ))}
          {company.register}, No. {company.number}
          <br />
          {company.email}
        </address>
      </div>
      <Facts
        className="receipt__facts"
        entries={[
          ['Order number', orderNumber(_id)],
          ['Ordered', <Time key="ordered" at={createdAt} />],
          ['Charged', chargedAt && <Time at={chargedAt} />],
          [
            'Buyer',
            buyer && (
              <>
                <bdi>{buyer.name}</bdi>
                <br />
                {buyer.email}
              </>
            ),
          ],
          deliveryFact(order),
          ['Terms accepted', `Version ${termsVersion}`],
        ]}
      />
      <table className="receipt__lines">
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col">Sold by</th>
            <th scope="col">Charged</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ _id: lineId, name, identifier, sellerUsername, price, state }) => (
            <tr key={lineId}>
              <th scope="row">
                <bdi>{name}</bdi>
                <span className="receipt__token">Token {identifier}</span>
              </th>
              <td>{sellerUsername ?? 'Deleted account'}</td>
              <td className="tabular">
                {formatPrice(chargedStates.includes(state) ? price : 0)}
                {notes[state] && <span className="receipt__token">{notes[state]}</span>}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Charged to your card
            </th>
            <td className="tabular">{formatPrice(captured)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="receipt__note">
        Paid by bank card. The amount was held first and charged only after the delivery was final on the chain.
      </p>
    </section>
  )
}
