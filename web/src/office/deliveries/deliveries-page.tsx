import type { EndpointQuery } from '@nifty/api/endpoint'
import { type Delivery, listDeliveries, listOpenMints, type OpenMint } from '@nifty/api/minting/deliveries'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { age } from '../table/format.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'
import { kinds } from './delivery-state.tsx'
import { RetryAction } from './retry-action.tsx'

/** Deliveries by their state, and mints under way. */
export const DeliveriesPage = () => (
  <Page title="Deliveries">
    <Deliveries />
    <Mints />
  </Page>
)

const states = ['waiting', 'signed', 'final', 'failed', 'stopped'] as const
type StateName = EndpointQuery<typeof listDeliveries>['state']
const isOpen = (state: string) => state === 'waiting' || state === 'signed'

const columns: Column<Delivery>[] = [
  {
    title: 'Delivery',
    cell: ({ lineId, kind }) => <Link to={`/deliveries/${lineId}`}>{kinds[kind]}</Link>,
  },
  { title: 'Order', cell: ({ orderId }) => orderId && <OrderLink id={orderId} /> },
  { title: 'Work', cell: ({ itemId }) => itemId && <Link to={`/works/${itemId}`}>Work</Link> },
  { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} as="recent" /> },
  { title: 'Age', cell: ({ state, createdAt }) => isOpen(state) && age(createdAt) },
  {
    title: 'Deliver by',
    cell: ({ state, deliverBy }) => isOpen(state) && deliverBy && <Time at={deliverBy} as="recent" />,
  },
  { title: 'Why', cell: ({ reason, note }) => (reason ?? note)?.replaceAll('_', ' ') },
  { title: 'Transaction', cell: ({ txHash }) => txHash && <span className="mono">{txHash}</span> },
  {
    title: '',
    cell: ({ lineId, state }) => (
      <div className="table__actions">{isOpen(state) && <RetryAction lineId={lineId} />}</div>
    ),
  },
]

function Deliveries() {
  const [state, setState] = useState<StateName>('signed')
  const [cursors, setCursors] = useState<string[]>([])
  const after = cursors.at(-1)
  const query = { state, ...(after && { after }) }
  const loaded = useStore('minting', listDeliveries, { query }, { refreshInterval: 15_000 })
  return (
    <Section
      title="Deliveries"
      about="Of sold works, withdrawals and gifts. One that waits is not signed yet."
      loaded={loaded}
      aside={
        <Select
          label="State"
          value={state}
          onChange={(event) => {
            setState(event.target.value as StateName)
            setCursors([])
          }}
        >
          {states.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      }
    >
      {({ deliveries, next }) => (
        <>
          <Table
            caption="Deliveries"
            rows={deliveries}
            rowKey={({ lineId }) => lineId}
            columns={columns}
            empty={`No delivery is ${state}.`}
          />
          {(after || next) && (
            <div className="actions">
              <Button variant="secondary" disabled={!after} onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </Button>
              <Button variant="secondary" disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
                Older
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  )
}

function Mints() {
  const loaded = useStore('minting', listOpenMints, {}, { refreshInterval: 15_000 })
  return (
    <Section title="Mints under way" about="The oldest 50." loaded={loaded}>
      {({ mints }) => (
        <Table<OpenMint>
          caption="Mints under way"
          rows={mints}
          rowKey={({ mintId }) => mintId}
          empty="No mint is under way."
          columns={[
            { title: 'Work', cell: ({ name }) => name },
            { title: 'Artist', cell: ({ creatorId }) => <AccountLink id={creatorId} /> },
            { title: 'State', cell: ({ state }) => <State name={state === 'accepted' ? 'waiting' : 'signed'} /> },
            { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} as="recent" /> },
            { title: 'Age', cell: ({ createdAt }) => age(createdAt) },
            { title: 'Transaction', cell: ({ txHash }) => txHash && <span className="mono">{txHash}</span> },
          ]}
        />
      )}
    </Section>
  )
}
