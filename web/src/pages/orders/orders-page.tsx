import './orders-page.css'
import { pages } from '@nifty/api/pages'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { offersUrl, paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { giftOfLine, useGifts } from '../../gifts/use-gifts.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { holderOf } from '../../orders/order-copy.ts'
import { maxListedOrders, useOffers, useOrders } from '../../orders/use-orders.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { OrderRow } from './order-row.tsx'

const skeletons = [0, 1, 2]
const offersTitle = 'Bids and offers'

/** Purchases, or the bids and offers in all states. */
export function OrdersPage() {
  const [params] = useSearchParams()
  const isOfOffers = params.get('kind') === 'offers'
  const { offers, auctions } = useConfig()
  const isOn = auctions || offers
  // Those from before the operator turned them off are still there.
  const { orders: former } = useOffers({ enabled: isOn === false })
  return (
    <>
      {isOfOffers && <PageTitle>{offersTitle}</PageTitle>}
      <PageHead title={isOfOffers ? offersTitle : pages.orders.title} crumb={isOfOffers ? offersTitle : 'Orders'}>
        {(isOn || isOfOffers || former.length > 0) && (
          <nav className="order-actions" aria-label="Your orders, bids and offers">
            <Tab to={paths.orders} isCurrent={!isOfOffers}>
              Orders
            </Tab>
            <Tab to={offersUrl} isCurrent={isOfOffers}>
              {offersTitle}
            </Tab>
          </nav>
        )}
      </PageHead>
      <div className="wrap">{isOfOffers ? <Offers /> : <Purchases />}</div>
    </>
  )
}

const Tab = ({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: ReactNode }) => (
  <LinkButton to={to} variant={isCurrent ? 'secondary' : 'text'} aria-current={isCurrent ? 'page' : undefined}>
    {children}
  </LinkButton>
)

const Purchases = () => (
  <OrderList {...useOrders()} what="orders">
    <Empty title="You have not bought anything yet">
      <p>Your purchases appear here, with their delivery, receipt and certificate.</p>
      <LinkButton to={paths.explore}>Explore works</LinkButton>
    </Empty>
  </OrderList>
)

function Offers() {
  const { auctions } = useConfig()
  return (
    <OrderList {...useOffers()} what="bids and offers">
      <Empty title="You have made no bid and no offer yet">
        <p>They appear here: bids that lead, offers that wait for an owner, and how the others ended.</p>
        <LinkButton to={`${paths.explore}?items=${auctions ? 'auctions' : 'offers'}`}>
          {auctions ? 'Works on auction' : 'Works that take offers'}
        </LinkButton>
      </Empty>
    </OrderList>
  )
}

type ListProps = ReturnType<typeof useOrders> & {
  what: 'orders' | 'bids and offers'
  /** Instead of an empty list. */
  children: ReactNode
}

function OrderList({ orders, loading, error, mutate, what, children }: ListProps) {
  const { gifts } = useGifts({ enabled: orders.some(({ wallet }) => wallet === null) })
  return (
    <>
      {loading && (
        <>
          <p role="status" className="visually-hidden">
            Loading your {what}
          </p>
          {skeletons.map((index) => (
            <div key={index} className="orders-page__slot">
              <Skeleton className="orders-page__skeleton" />
            </div>
          ))}
        </>
      )}
      {error && orders.length === 0 && (
        <Empty title={`Your ${what} could not be loaded.`}>
          <Button variant="secondary" onClick={() => void mutate()}>
            Try again
          </Button>
        </Empty>
      )}
      {!loading && !error && orders.length === 0 && children}
      <ul className="orders-page__list">
        {orders.map((order) => (
          <li key={order._id}>
            <OrderRow order={order} holder={holderOf(order, { giftOf: (line) => giftOfLine(gifts, order, line) })} />
          </li>
        ))}
      </ul>
      {orders.length === maxListedOrders && (
        <p className="orders-page__older">
          These are your {maxListedOrders} newest {what}. Older ones are in our emails.
        </p>
      )}
    </>
  )
}
