import { orderNumber } from '@nifty/api/order-number'
import { getOrderHistory, type OrderHistory } from '@nifty/api/payments/ops'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { AlarmList } from '../alarms/alarm-list.tsx'
import { BidInCatalog } from '../auctions/bid-in-catalog.tsx'
import { RetryAction } from '../deliveries/retry-action.tsx'
import { endingWords } from '../endings/ending-words.ts'
import { AccountLink } from '../links/account-link.tsx'
import { NamedAccount } from '../links/named-account.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { MailList } from '../mails/mail-list.tsx'
import { OfferInCatalog } from '../offers/offer-in-catalog.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Copied, TransactionHash } from '../table/copied.tsx'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { AcceptAction, AssignAction, CancelAction, NoteAction, RefundAction } from './order-actions.tsx'
import { subjectsOf, Timeline } from './timeline.tsx'

const titles = { purchase: 'Order', offer: 'Offer', bid: 'Bid' }

/** One order: its lines, its money, and one timeline of everything. */
export function OrderPage() {
  const { id = '' } = useParams()
  const loaded = useStore('payments', getOrderHistory, { params: { id } }, { refreshInterval: 10_000 })
  const { data } = loaded
  return (
    <Page
      title={`${titles[data?.order.kind ?? 'purchase']} ${orderNumber(id)}`}
      aside={
        data && (
          <div className="actions">
            <CancelAction history={data} />
            <NoteAction orderId={id} />
            <AcceptAction orderId={id} kind={data.order.kind} />
          </div>
        )
      }
    >
      <Contents loaded={loaded}>{(history) => <Story history={history} loaded={loaded} />}</Contents>
    </Page>
  )
}

/** States without a delivery, or perhaps without one. */
const undelivered = ['placed', 'awaiting_payment', 'held', 'released']
/** States of an order or a line whose delivery is under way. */
const open = ['authorised', 'delivering']

type Props = { history: OrderHistory; loaded: ReturnType<typeof useStore<typeof getOrderHistory>> }

function Story({ history, loaded }: Props) {
  const { order, buyerId, money, held, intentId, sessionId, alarms, reversals, entries, cancelRequestedBy } = history
  const names = useAccounts(entries.map(({ userId }) => userId))
  const refunded = withdrawnBy(reversals, 'refund')
  const disputed = withdrawnBy(reversals, 'dispute')
  return (
    <>
      {alarms.length > 0 && <AlarmList alarms={alarms} />}
      <Facts
        className="facts"
        entries={[
          ['State', <State key="state" name={order.state} />],
          ['Money', `${money.replaceAll('_', ' ')}${cancelRequestedBy ? `, cancelled by ${cancelRequestedBy}` : ''}`],
          [
            order.kind === 'bid' && order.state === 'held' ? 'Maximum' : 'Total',
            <Price key="total" euros={order.total} />,
          ],
          ['Held', money === 'held' && <Price key="held" euros={held} />],
          ['Captured', <Price key="captured" euros={order.captured} />],
          ['Refunded', refunded > 0 && <Price key="refunded" euros={refunded} />],
          ['Withdrawn by the bank', disputed > 0 && <Price key="disputed" euros={disputed} />],
          ['Owner decides by', order.decideBy && <Time key="decide" at={order.decideBy} />],
          ['Placed', <Time key="at" at={order.createdAt} />],
          ['Buyer', <NamedAccount key="buyer" id={buyerId} />],
          ['Delivered to', order.wallet ?? 'the store’s custody'],
          ['Gift', order.isGift && 'for another person'],
          [
            'Payment',
            (intentId ?? sessionId) && <Copied text={(intentId ?? sessionId)!} label="Copy the payment id" />,
          ],
          ['Deliver by', order.deliverBy && open.includes(order.state) && <Time key="by" at={order.deliverBy} />],
          ['Card declined', order.declined?.replaceAll('_', ' ')],
          ['Terms', order.termsVersion],
          [
            'Full number',
            <Copied key="id" text={order._id} label="Copy the full number" shown={shorten(order._id, 8, 4)} />,
          ],
        ]}
      />

      <Section title="Lines" loaded={{ ...loaded, error: undefined, data: order.lines }}>
        {(lines) => (
          <Table
            caption="Lines of the order"
            rows={lines}
            rowKey={({ _id }) => _id}
            empty="No line."
            columns={[
              { title: 'Work', cell: ({ itemId, name }) => <Link to={`/works/${itemId}`}>{name}</Link> },
              { title: 'Seller', cell: ({ sellerUsername }) => sellerUsername },
              {
                title: 'State',
                cell: ({ state, reason }) => (
                  <>
                    <State name={state} /> {reason === 'lost' ? lostWords(order) : reason}
                  </>
                ),
              },
              {
                title: 'Delivery',
                cell: ({ _id, state }) =>
                  !undelivered.includes(state) && <Link to={`/deliveries/${_id}`}>Delivery</Link>,
              },
              {
                title: 'Transaction',
                cell: ({ txHash }) => txHash && <TransactionHash hash={txHash} />,
              },
              { title: 'Price', isNumber: true, cell: ({ price }) => <Price euros={price} /> },
              {
                title: '',
                cell: (line) => (
                  <div className="table__actions">
                    {open.includes(line.state) && <RetryAction lineId={line._id} of={line.name} />}
                    <RefundAction line={line} />
                  </div>
                ),
              },
            ]}
          />
        )}
      </Section>

      {reversals.length > 0 && (
        <Section title="Refunds, disputes and warnings" loaded={{ ...loaded, error: undefined, data: reversals }}>
          {(rows) => (
            <Table
              caption="Refunds, disputes and warnings"
              rows={rows}
              rowKey={({ id }) => id}
              empty="None."
              columns={[
                { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
                { title: 'Status', cell: ({ status }) => <State name={status} /> },
                { title: 'Reason', cell: ({ reason }) => reason?.replaceAll('_', ' ') },
                {
                  title: 'Borne by',
                  cell: ({ borneBy, ambiguous }) =>
                    `${borneBy ?? 'nobody yet'}${ambiguous ? '; its lines are not named' : ''}`,
                },
                { title: 'Withdrawn', isNumber: true, cell: ({ withdrawn }) => <Price euros={withdrawn} /> },
                {
                  title: '',
                  cell: (reversal) => (
                    <div className="table__actions">
                      <AssignAction reversal={reversal} lines={order.lines} />
                    </div>
                  ),
                },
              ]}
            />
          )}
        </Section>
      )}

      {order.kind === 'offer' && <OfferInCatalog orderId={order._id} />}
      {order.kind === 'bid' && <BidInCatalog orderId={order._id} />}

      <Timeline history={history} />

      <MailList ids={subjectsOf(history)} />

      <Section
        title="Books"
        about="Who is owed what by each line."
        loaded={{ ...loaded, error: undefined, data: entries }}
      >
        {(rows) => (
          <Table
            caption="Entries of the books"
            rows={rows}
            rowKey={(entry) => JSON.stringify(entry)}
            empty="Nothing is booked yet: the card was not charged."
            columns={[
              { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
              { title: 'Work', cell: ({ lineId }) => order.lines.find(({ _id }) => _id === lineId)?.name },
              { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
              { title: 'Cause', cell: ({ cause }) => cause.replaceAll('_', ' ') },
              {
                title: 'Account',
                cell: ({ userId }) =>
                  userId ? <AccountLink id={userId} name={names.get(userId)?.username} /> : 'the store',
              },
              { title: 'Paid out', cell: ({ payoutId }) => payoutId && 'yes' },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => <Price euros={amount} /> },
            ]}
          />
        )}
      </Section>
    </>
  )
}

/** Why an offer or a bid has ended that was not decided for its buyer. */
function lostWords({ kind, timeline }: OrderHistory['order']) {
  const note = timeline.findLast(({ state }) => state === 'released')?.note
  return note && kind !== 'purchase' ? endingWords(kind, note) : 'lost'
}

/** Euros. */
const withdrawnBy = (reversals: OrderHistory['reversals'], kind: string) =>
  reversals.reduce((cents, row) => cents + (row.kind === kind ? Math.round(row.withdrawn * 100) : 0), 0) / 100
