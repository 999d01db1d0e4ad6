import './today.css'
import { age } from '@nifty/api/age'
import { listSellerApplications } from '@nifty/api/auth/ops'
import { getStatus } from '@nifty/api/minting/ops'
import { searchContactMessages } from '@nifty/api/notification/contact-messages'
import { listDisputes, type OpenDispute } from '@nifty/api/payments/disputes'
import { isHeldTooLong, isHoldEnding } from '@nifty/api/payments/late-orders'
import { getReconciliation, listOpenOrders, type OpenOrders, type Reconciliation } from '@nifty/api/payments/ops'
import { listPayouts } from '@nifty/api/payments/ops-money'
import { takesEvidence } from '@nifty/api/payments/takes-evidence'
import { plural } from '@nifty/api/plural'
import { formatPrice } from '@nifty/api/price'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { AlarmList } from '../alarms/alarm-list.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { SalesPause } from '../orders/sales-pause.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Mails } from '../system/mails.tsx'
import { MessageQueues } from '../system/message-queues.tsx'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { FirstSteps } from './first-steps.tsx'
import { SalesToday } from './sales-today.tsx'

/** What waits for a person, each with its action, and what was sold. */
export function TodayPage() {
  const orders = useStore('payments', listOpenOrders, {}, { refreshInterval: 30_000 })
  return (
    <Page title="Today">
      <FirstSteps />
      <Summary />
      <SalesPause onlyStopped />
      <Section title="Alarms" loaded={part(orders, ({ alarms }) => alarms)}>
        {(alarms) => <AlarmList alarms={alarms.filter(({ acknowledged }) => !acknowledged)} />}
      </Section>
      <Section title="Orders that wait too long" loaded={part(orders, lateOrders)}>
        {(late) => <LateOrders late={late} />}
      </Section>
      <Section
        title="Refunds and disputes that nobody bears"
        about={
          orders.data?.undecided.length !== 0 &&
          'The page of the order assigns them; until then the shares of seller and artist are held back.'
        }
        loaded={part(orders, ({ undecided }) => undecided)}
      >
        {(undecided) => (
          <Table
            caption="Refunds and disputes that nobody bears"
            rows={undecided}
            rowKey={({ id }) => id}
            empty="Every one is assigned."
            columns={[
              { title: 'Order', cell: ({ orderId }) => <OrderLink id={orderId} /> },
              { title: 'Kind', cell: ({ kind }) => kind },
              { title: 'For', cell: ({ since }) => age(since) },
              { title: 'Withdrawn', isNumber: true, cell: ({ withdrawn }) => <Price euros={withdrawn} /> },
            ]}
          />
        )}
      </Section>
      <MessageQueues onlyDead />
      <SalesToday />
      <Mails />
      {orders.data?.alarms.some(({ acknowledged }) => acknowledged) && (
        <Section
          title="Acknowledged"
          loaded={part(orders, ({ alarms }) => alarms.filter(({ acknowledged }) => acknowledged))}
        >
          {(alarms) => <AlarmList alarms={alarms} />}
        </Section>
      )}
    </Page>
  )
}

type Open = OpenOrders['orders'][number]

const lateOrders = ({ orders }: OpenOrders): Open[] =>
  orders.filter((order) => isHeldTooLong(order) || isHoldEnding(order))

const LateOrders = ({ late }: { late: Open[] }) => (
  <Table
    caption="Orders that wait too long"
    rows={late}
    rowKey={({ _id }) => _id}
    empty="None."
    columns={[
      { title: 'Order', cell: ({ _id }) => <OrderLink id={_id} /> },
      { title: 'State', cell: ({ state }) => <State name={state} /> },
      { title: 'For', cell: ({ since }) => age(since) },
      { title: 'Hold ends', cell: ({ holdEndsAt }) => holdEndsAt && <Time at={holdEndsAt} as="recent" /> },
      { title: 'Total', isNumber: true, cell: ({ total }) => <Price euros={total} /> },
    ]}
  />
)

type Waiting = { path: string; state: string; isBad: boolean }

/** One entry for each other page on which something may wait. */
function Summary() {
  const messages = useStore(
    'notification',
    searchContactMessages,
    { body: { state: 'open' } },
    { refreshInterval: 30_000 },
  )
  const disputes = useStore('payments', listDisputes, {}, { refreshInterval: 30_000 })
  const applications = useStore('auth', listSellerApplications, {})
  const payouts = useStore('payments', listPayouts, {})
  const books = useStore('payments', getReconciliation, {})
  const chain = useStore('minting', getStatus, {})
  return (
    <div className="waiting">
      <Entry
        title="Contact messages"
        loaded={part(messages, ({ counts: { open } }) => ({
          path: '/messages',
          state: open > 0 ? `${open} open` : 'none open',
          isBad: open > 0,
        }))}
      />
      <Entry title="Disputes" loaded={part(disputes, ({ disputes: open }) => evidenceDue(open))} />
      <Entry
        title="Applications"
        loaded={part(applications, ({ waiting }) => ({
          path: '/applications',
          state: waiting > 0 ? `${waiting} waiting` : 'none waiting',
          isBad: waiting > 0,
        }))}
      />
      <Entry
        title="Payouts"
        loaded={part(payouts, ({ due }) => ({
          path: '/payouts',
          state: `${formatPrice(due.reduce((sum, row) => sum + Math.max(0, row.due), 0))} due`,
          isBad: false,
        }))}
      />
      <Entry
        title="Books"
        loaded={part(books, ({ run }) => ({
          path: '/books',
          state: run ? comparisonState(run) : 'never compared',
          isBad: Boolean(run?.differenceCount),
        }))}
      />
      <Entry
        title="Chain"
        loaded={part(chain, ({ signers, chain: state, auditFindings }) => {
          const halted = signers.filter(({ haltedReason }) => haltedReason).length
          const problems = [
            halted > 0 && `${plural(halted, 'signer')} halted`,
            state?.refusal && 'purchases are refused',
            auditFindings.length > 0 && plural(auditFindings.length, 'finding'),
          ].filter(Boolean)
          return { path: '/chain', state: problems.join(', ') || 'ready', isBad: problems.length > 0 }
        })}
      />
    </div>
  )
}

const comparisonState = ({ differenceCount, finishedAt }: Reconciliation) =>
  differenceCount > 0 ? plural(differenceCount, 'difference') : finishedAt ? 'balanced' : 'being compared'

const byMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Open disputes, and the first day by which the bank wants evidence. */
function evidenceDue(disputes: OpenDispute[]): Waiting {
  const [first] = disputes.flatMap(({ status, dueBy }) => (dueBy && takesEvidence(status) ? [dueBy] : [])).sort()
  const open = disputes.length > 0 ? `${disputes.length} open` : 'none open'
  return {
    path: '/disputes',
    state: first ? `${open}, evidence by ${byMonth.format(new Date(first))}` : open,
    isBad: first !== undefined,
  }
}

const Entry = ({ title, loaded }: { title: string; loaded: Parameters<typeof Section<Waiting>>[0]['loaded'] }) => (
  <Section title={title} loaded={loaded}>
    {({ path, state, isBad }) => (
      <Link className="waiting__link" to={path} data-bad={isBad || undefined}>
        {state}
      </Link>
    )}
  </Section>
)
