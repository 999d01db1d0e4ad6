import { listSellerApplications } from '@nifty/api/auth/ops'
import { getStatus } from '@nifty/api/minting/ops'
import { getReconciliation, listOpenOrders, type OpenOrders } from '@nifty/api/payments/ops'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { AlarmList } from '../alarms/alarm-list.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Mails } from '../system/mails.tsx'
import { MessageQueues } from '../system/message-queues.tsx'
import { age, plural } from '../table/format.ts'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

const STUCK_AFTER_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** What waits for a person, each with its action. */
export function TodayPage() {
  const orders = useStore('payments', listOpenOrders, {}, { refreshInterval: 30_000 })
  return (
    <Page title="Today">
      <Section title="Alarms" loaded={part(orders, ({ alarms }) => alarms)}>
        {(alarms) => <AlarmList alarms={alarms.filter(({ acknowledged }) => !acknowledged)} />}
      </Section>
      <Section title="Orders that wait too long" loaded={part(orders, lateOrders)}>
        {(late) => <LateOrders late={late} />}
      </Section>
      <Section title="Refunds and disputes that nobody bears" loaded={part(orders, ({ undecided }) => undecided)}>
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
      <Summary />
      <MessageQueues onlyDead />
      <Mails />
      <Section
        title="Acknowledged"
        loaded={part(orders, ({ alarms }) => alarms.filter(({ acknowledged }) => acknowledged))}
      >
        {(alarms) => <AlarmList alarms={alarms} />}
      </Section>
    </Page>
  )
}

type Open = OpenOrders['orders'][number]

const lateOrders = ({ orders }: OpenOrders): Open[] =>
  orders.filter(
    ({ money, since, holdEndsAt }) =>
      (money === 'held' && Date.now() - Date.parse(since) > STUCK_AFTER_MS) ||
      (holdEndsAt !== null && Date.parse(holdEndsAt) < Date.now() + DAY_MS),
  )

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

type Waiting = { path: string; what: string; state: string; isBad: boolean }

/** One line for each other page on which something may wait. */
function Summary() {
  const books = useStore('payments', getReconciliation, {})
  const applications = useStore('auth', listSellerApplications, {})
  const chain = useStore('minting', getStatus, {})
  return (
    <>
      <Line
        title="Books"
        loaded={part(books, ({ run }) => ({
          path: '/books',
          what: 'Differences',
          state: run ? String(run.differenceCount) : 'never compared',
          isBad: Boolean(run?.differenceCount),
        }))}
      />
      <Line
        title="Applications"
        loaded={part(applications, ({ waiting }) => ({
          path: '/applications',
          what: 'Waiting',
          state: plural(waiting, 'application'),
          isBad: waiting > 0,
        }))}
      />
      <Line
        title="Chain"
        loaded={part(chain, ({ signers, chain: state, auditFindings }) => {
          const halted = signers.filter(({ haltedReason }) => haltedReason).length
          const problems = [
            halted > 0 && `${plural(halted, 'signer')} halted`,
            state?.refusal && 'purchases are refused',
            auditFindings.length > 0 && plural(auditFindings.length, 'finding'),
          ].filter(Boolean)
          return { path: '/chain', what: 'Signers', state: problems.join(', ') || 'ready', isBad: problems.length > 0 }
        })}
      />
    </>
  )
}

const Line = ({ title, loaded }: { title: string; loaded: Parameters<typeof Section<Waiting>>[0]['loaded'] }) => (
  <Section title={title} loaded={loaded}>
    {({ path, what, state, isBad }) => (
      <p>
        <Link to={path}>{what}</Link> <State name={state} kind={isBad ? 'bad' : undefined} />
      </p>
    )}
  </Section>
)
