import { age } from '@nifty/api/age'
import { orderNumber } from '@nifty/api/order-number'
import { type LineState, lineStates } from '@nifty/api/payments/line-states'
import { listOpenOrders, type OpenOrders } from '@nifty/api/payments/ops'
import type { OrderSearch } from '@nifty/api/payments/order-search'
import { plural } from '@nifty/api/plural'
import { useState } from 'react'
import { Field, Select } from '../../ui/forms/field.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'
import { FoundOrders } from './found-orders.tsx'
import { SalesPause } from './sales-pause.tsx'

type Open = OpenOrders['orders'][number]

const columns: Column<Open>[] = [
  { title: 'Order', cell: ({ _id }) => <OrderLink id={_id} /> },
  { title: 'State', cell: ({ state }) => <State name={state} /> },
  { title: 'Money', cell: ({ money }) => money.replaceAll('_', ' ') },
  { title: 'Since', cell: ({ since }) => <Time at={since} as="recent" /> },
  { title: 'Age', cell: ({ since }) => age(since) },
  { title: 'Hold ends', cell: ({ holdEndsAt }) => holdEndsAt && <Time at={holdEndsAt} as="recent" /> },
  { title: 'Alarms', cell: ({ alarms }) => alarms.join(', ').replaceAll('_', ' ') },
  { title: 'Total', isNumber: true, cell: ({ total }) => <Price euros={total} /> },
]

/** Orders that are not over, oldest first. */
export function OrdersPage() {
  const loaded = useStore('payments', listOpenOrders, {}, { refreshInterval: 30_000 })
  const [state, setState] = useState('')
  const [money, setMoney] = useState('')
  const [number, setNumber] = useState('')
  const orders = loaded.data?.orders ?? []
  const shown = orders.filter(
    (order) =>
      (!state || order.state === state) &&
      (!money || order.money === money) &&
      orderNumber(order._id).startsWith(number.trim().toUpperCase()),
  )
  return (
    <Page title="Orders">
      <Section title="Open" about="What is paid, delivered or cancelled now." loaded={loaded}>
        {() => (
          <>
            <div className="filters">
              <Field
                label="Number begins with"
                value={number}
                autoComplete="off"
                onChange={(event) => setNumber(event.target.value)}
              />
              <Choice label="State" value={state} values={orders.map((order) => order.state)} onChange={setState} />
              <Choice label="Money" value={money} values={orders.map((order) => order.money)} onChange={setMoney} />
            </div>
            <p className="muted" role="status">
              {plural(shown.length, 'order')}
            </p>
            <Table
              caption="Open orders"
              rows={shown}
              rowKey={({ _id }) => _id}
              columns={columns}
              empty={orders.length === 0 ? 'No order is open.' : 'No open order is like that.'}
            />
          </>
        )}
      </Section>
      <AllOrders />
      <SalesPause />
    </Page>
  )
}

type ChoiceProps = { label: string; value: string; values: string[]; onChange: (value: string) => void }

const Choice = ({ label, value, values, onChange }: ChoiceProps) => (
  <Select label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="">All</option>
    {[...new Set([...values, ...(value ? [value] : [])])].sort().map((name) => (
      <option key={name} value={name}>
        {name.replaceAll('_', ' ')}
      </option>
    ))}
  </Select>
)

/** All orders, with filters; a day is one of UTC. */
function AllOrders() {
  const [state, setState] = useState('')
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const search: OrderSearch = {
    ...(state && { state: state as LineState }),
    ...(since && { since: `${since}T00:00:00Z` }),
    ...(until && { until: `${until}T00:00:00Z` }),
  }
  return (
    <FoundOrders
      title="All"
      search={search}
      empty="No order is like that."
      aside={
        <div className="filters">
          <Choice label="State" value={state} values={[...lineStates]} onChange={setState} />
          <Field label="From" type="date" value={since} onChange={(event) => setSince(event.target.value)} />
          <Field label="Before" type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
        </div>
      }
    />
  )
}
