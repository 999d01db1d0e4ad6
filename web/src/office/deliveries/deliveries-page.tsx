import { age } from '@nifty/api/age'
import type { EndpointQuery } from '@nifty/api/endpoint'
import { type Delivery, listDeliveries, listOpenMints, type OpenMint } from '@nifty/api/minting/deliveries'
import { type ReactNode, useState } from 'react'
import { Select } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { TransactionHash } from '../table/copied.tsx'
import { Pages, usePages } from '../table/pages.tsx'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'
import { kinds } from './delivery-state.tsx'
import { RetryAction } from './retry-action.tsx'

/** Deliveries by their state, and mints under way. */
export const DeliveriesPage = () => (
  <Page title="Deliveries">
    <DeliveryList title="Waiting" about="Sold works, withdrawals and gifts that are not signed yet." state="waiting" />
    <DeliveryList title="Signed" about="In a transaction that is not final yet." state="signed" />
    <Mints />
    <Ended />
  </Page>
)

type StateName = NonNullable<EndpointQuery<typeof listDeliveries>>['state']

function Ended() {
  const [state, setState] = useState<StateName>('final')
  return (
    <DeliveryList
      title="Ended"
      state={state}
      aside={
        <Select label="State" value={state} onChange={(event) => setState(event.target.value as StateName)}>
          {(['final', 'failed', 'stopped'] satisfies StateName[]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      }
    />
  )
}

const isOpen = (state: string) => state === 'waiting' || state === 'signed'

const columns: Column<Delivery>[] = [
  {
    title: 'Delivery',
    cell: ({ lineId, kind }) => <Link to={`/deliveries/${lineId}`}>{kinds[kind]}</Link>,
  },
  { title: 'Order', cell: ({ orderId }) => orderId && <OrderLink id={orderId} /> },
  { title: 'Work', cell: ({ itemId }) => itemId && <Link to={`/works/${itemId}`}>Work</Link> },
  {
    title: 'Since',
    cell: ({ state, createdAt }) => (
      <>
        <Time at={createdAt} as="recent" /> {isOpen(state) && `(${age(createdAt)})`}
      </>
    ),
  },
  {
    title: 'Deliver by',
    cell: ({ state, deliverBy }) => isOpen(state) && deliverBy && <Time at={deliverBy} as="recent" />,
  },
  { title: 'Why', cell: ({ reason, note }) => (reason ?? note)?.replaceAll('_', ' ') },
  { title: 'Transaction', cell: ({ txHash }) => txHash && <TransactionHash hash={txHash} /> },
  {
    title: '',
    cell: ({ lineId, state }) => (
      <div className="table__actions">{isOpen(state) && <RetryAction lineId={lineId} />}</div>
    ),
  },
]

type ListProps = { title: string; about?: string; state: StateName; aside?: ReactNode }

function DeliveryList({ title, about, state, aside }: ListProps) {
  const { after, ...pages } = usePages(state)
  const query = { state, ...(after && { after }) }
  const loaded = useStore('minting', listDeliveries, { query }, { refreshInterval: 15_000 })
  return (
    <Section title={title} about={about} loaded={loaded} aside={aside}>
      {({ deliveries, next }) => (
        <>
          <Table caption={title} rows={deliveries} rowKey={({ lineId }) => lineId} columns={columns} empty="None." />
          <Pages after={after} next={next} {...pages} />
        </>
      )}
    </Section>
  )
}

function Mints() {
  const loaded = useStore('minting', listOpenMints, {}, { refreshInterval: 15_000 })
  return (
    <Section title="Mints under way" about="Works that are not final on the chain yet; the oldest 50." loaded={loaded}>
      {({ mints }) => (
        <Table<OpenMint>
          caption="Mints under way"
          rows={mints}
          rowKey={({ mintId }) => mintId}
          empty="None."
          columns={[
            { title: 'Work', cell: ({ name }) => name },
            { title: 'Artist', cell: ({ creatorId }) => <AccountLink id={creatorId} /> },
            { title: 'State', cell: ({ state }) => <State name={state === 'accepted' ? 'waiting' : 'signed'} /> },
            { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} as="recent" /> },
            { title: 'Age', cell: ({ createdAt }) => age(createdAt) },
            { title: 'Transaction', cell: ({ txHash }) => txHash && <TransactionHash hash={txHash} /> },
          ]}
        />
      )}
    </Section>
  )
}
