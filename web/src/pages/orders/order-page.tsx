import './order-page.css'
import { contactAboutOrder } from '@nifty/api/contact-about'
import { pages } from '@nifty/api/pages'
import { useParams } from 'react-router-dom'
import { certificateUrl, offersUrl, paths, receiptUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { useWithdrawalOf } from '../../custody/use-withdrawals.ts'
import { OrderGift } from '../../gifts/order-gift.tsx'
import { useGiftOf } from '../../gifts/use-gifts.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { headline, holderOf, keptLines } from '../../orders/order-copy.ts'
import { useOrder } from '../../orders/use-orders.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { LineProgress } from './line-progress.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderMissing } from './order-missing.tsx'

const crumbs = { purchase: 'Order', offer: 'Offer', bid: 'Bid' }

export function OrderPage() {
  const { id = '' } = useParams()
  const { order, error, mutate } = useOrder(id)
  const { explorerUrl } = useConfig()
  const withdrawalOf = useWithdrawalOf(order)
  const { giftOf } = useGiftOf(order)

  if (!order && error) return <OrderMissing error={error} onRetry={() => void mutate()} />
  if (!order) return <Loading />

  const list =
    order.kind !== 'purchase'
      ? { to: offersUrl, label: 'Bids and offers' }
      : { to: paths.orders, label: pages.orders.title }
  const { title, text } = headline(order, holderOf(order, { withdrawalOf, giftOf }))
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <PageHead title={title} parent={list} crumb={crumbs[order.kind]}>
        <p className="order-page__text" role="status">
          {text}
        </p>
      </PageHead>
      <div className="order-page wrap">
        <div className="order-page__lines">
          {order.lines.map((line) => (
            <LineProgress key={line._id} line={line} order={order} explorerUrl={explorerUrl} />
          ))}
        </div>
        <div className="order-page__side">
          <OrderFacts order={order} />
          <OrderGift order={order} />
          <OrderActions order={order} onChanged={(next) => void mutate(next)} />
          <div className="order-page__documents">
            {order.captured > 0 && (
              <LinkButton variant="secondary" to={receiptUrl(order._id)}>
                Receipt
              </LinkButton>
            )}
            {keptLines(order, giftOf).length > 0 && (
              <LinkButton variant="secondary" to={certificateUrl(order._id)}>
                Certificate
              </LinkButton>
            )}
            <LinkButton variant="text" to={contactAboutOrder(order._id)}>
              A question about this order?
            </LinkButton>
            <LinkButton variant="text" to={list.to}>
              {order.kind === 'purchase' ? 'All orders' : 'All bids and offers'} <Icon name="arrow" />
            </LinkButton>
          </div>
        </div>
      </div>
    </>
  )
}

const Loading = () => (
  <>
    <PageHead title={pages.order.title} parent={{ to: paths.orders, label: pages.orders.title }} crumb="Order" />
    <div className="wrap">
      <p role="status" className="visually-hidden">
        Loading your order
      </p>
      <Skeleton className="order-page__skeleton" />
    </div>
  </>
)
