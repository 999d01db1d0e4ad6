import { listDisputes, type OpenDispute } from '@nifty/api/payments/disputes'
import { takesEvidence } from '@nifty/api/payments/takes-evidence'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'

const columns: Column<OpenDispute>[] = [
  {
    title: 'Dispute',
    cell: ({ id, kind }) =>
      kind === 'dispute' ? (
        <Link className="mono" to={`/disputes/${id}`}>
          {id}
        </Link>
      ) : (
        <span className="mono">{id}</span>
      ),
  },
  { title: 'Order', cell: ({ orderId }) => <OrderLink id={orderId} /> },
  {
    title: 'State',
    cell: ({ kind, status, cleared }) => (
      <>
        <State name={kind === 'dispute' ? status : kind} /> {cleared && 'its works are free'}
      </>
    ),
  },
  { title: 'Reason', cell: ({ reason }) => reason?.replaceAll('_', ' ') },
  { title: 'Since', cell: ({ since }) => <Time at={since} as="day" /> },
  {
    title: 'Evidence due by',
    cell: ({ status, dueBy }) => dueBy && takesEvidence(status) && <Time at={dueBy} as="recent" />,
  },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => amount !== null && <Price euros={amount} /> },
]

/** What cardholders’ banks object to, and is not decided. */
export function DisputesPage() {
  const loaded = useStore('payments', listDisputes, {}, { refreshInterval: 30_000 })
  return (
    <Page title="Disputes">
      <Section title="Not decided" about="Disputes, inquiries and warnings of fraud, oldest first." loaded={loaded}>
        {({ disputes }) => (
          <Table
            caption="Disputes"
            rows={disputes}
            rowKey={({ id }) => id}
            columns={columns}
            empty="No bank objects to a payment."
          />
        )}
      </Section>
    </Page>
  )
}
