import { type FoundOrder, type OrderSearch, searchOrders } from '@nifty/api/payments/order-search'
import type { ReactNode } from 'react'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { useStore } from '../store/use-store.ts'
import { Pages, usePages } from '../table/pages.tsx'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'

const columns: Column<FoundOrder>[] = [
  { title: 'Order', cell: ({ _id }) => <OrderLink id={_id} /> },
  { title: 'Placed', cell: ({ createdAt }) => <Time at={createdAt} as="recent" /> },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'State', cell: ({ state }) => <State name={state} /> },
  { title: 'Works', cell: ({ lines }) => lines.map(({ name }) => name).join(', ') },
  {
    title: 'Sellers',
    cell: ({ lines }) => [...new Set(lines.map(({ sellerUsername }) => sellerUsername))].filter(Boolean).join(', '),
  },
  { title: 'Captured', isNumber: true, cell: ({ captured }) => <Price euros={captured} /> },
  { title: 'Total', isNumber: true, cell: ({ total }) => <Price euros={total} /> },
]

type Props = { title: string; search: OrderSearch; aside?: ReactNode; empty?: string }

/** Orders that a search finds, newest first, page by page. */
export function FoundOrders({ title, search, aside, empty = 'No order.' }: Props) {
  const { after, ...pages } = usePages(JSON.stringify(search))
  const loaded = useStore('payments', searchOrders, { body: { ...search, ...(after && { after }) } })
  return (
    <Section title={title} loaded={loaded} aside={aside}>
      {({ orders, next }) => (
        <>
          <Table caption={title} rows={orders} rowKey={({ _id }) => _id} columns={columns} empty={empty} />
          <Pages after={after} next={next} {...pages} />
        </>
      )}
    </Section>
  )
}
