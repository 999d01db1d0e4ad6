import { type FoundOrder, type OrderSearch, searchOrders } from '@nifty/api/payments/order-search'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'

const columns: Column<FoundOrder>[] = [
  { title: 'Order', cell: ({ _id }) => <OrderLink id={_id} /> },
  { title: 'Placed', cell: ({ createdAt }) => <Time at={createdAt} as="recent" /> },
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
  const key = JSON.stringify(search)
  const [at, setAt] = useState<{ key: string; cursors: string[] }>({ key, cursors: [] })
  const cursors = at.key === key ? at.cursors : []
  const after = cursors.at(-1)
  const loaded = useStore('payments', searchOrders, { body: { ...search, ...(after && { after }) } })
  return (
    <Section title={title} loaded={loaded} aside={aside}>
      {({ orders, next }) => (
        <>
          <Table caption={title} rows={orders} rowKey={({ _id }) => _id} columns={columns} empty={empty} />
          {(after || next) && (
            <div className="actions">
              <Button
                variant="secondary"
                disabled={!after}
                onClick={() => setAt({ key, cursors: cursors.slice(0, -1) })}
              >
                Newer
              </Button>
              <Button
                variant="secondary"
                disabled={!next}
                onClick={() => next && setAt({ key, cursors: [...cursors, next] })}
              >
                Older
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  )
}
