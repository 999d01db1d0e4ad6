import './orders-page.css'
import { pages } from '@nifty/api/pages'
import { paths } from '../../api/paths.ts'
import { giftOfLine, useGifts } from '../../gifts/use-gifts.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { holderOf } from '../../orders/order-copy.ts'
import { maxListedOrders, useOrders } from '../../orders/use-orders.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { OrderRow } from './order-row.tsx'

const skeletons = [0, 1, 2]

export function OrdersPage() {
  const { orders, loading, error, mutate } = useOrders()
  const { gifts } = useGifts({ enabled: orders.some(({ wallet }) => wallet === null) })
  return (
    <>
      <PageHead title={pages.orders.title} crumb="Orders" />
      <div className="wrap">
        {loading && (
          <>
            <p role="status" className="visually-hidden">
              Loading your orders
            </p>
            {skeletons.map((index) => (
              <div key={index} className="orders-page__slot">
                <Skeleton className="orders-page__skeleton" />
              </div>
            ))}
          </>
        )}
        {error && orders.length === 0 && (
          <Empty title="Your orders could not be loaded.">
            <Button variant="secondary" onClick={() => void mutate()}>
              Try again
            </Button>
          </Empty>
        )}
        {!loading && !error && orders.length === 0 && (
          <Empty title="You have not bought anything yet">
            <p>Your purchases appear here, with their delivery, receipt and certificate.</p>
            <LinkButton to={paths.explore}>Explore works</LinkButton>
          </Empty>
        )}
        <ul className="orders-page__list">
          {orders.map((order) => (
            <li key={order._id}>
              <OrderRow order={order} holder={holderOf(order, { giftOf: (line) => giftOfLine(gifts, order, line) })} />
            </li>
          ))}
        </ul>
        {orders.length === maxListedOrders && (
          <p className="orders-page__older">
            These are your {maxListedOrders} newest orders. Older ones are in our emails.
          </p>
        )}
      </div>
    </>
  )
}
