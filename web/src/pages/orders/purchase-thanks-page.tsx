import './purchase-thanks-page.css'
import { pages } from '@nifty/api/pages'
import type { Order } from '@nifty/api/payments/public'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { MessagePage } from '../../layout/message-page.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { isUnpaid, releaseReason } from '../../orders/order.ts'
import { cancelOrder, useOrder } from '../../orders/use-orders.ts'
import { paths } from '../../paths.ts'
import { isLive, useSession } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { useConfig } from '../../use-config.ts'
import { LineProgress } from './line-progress.tsx'
import { OrderActions } from './order-actions.tsx'

export function PurchaseThanksPage() {
  const [params] = useSearchParams()
  const { token } = useSession()
  const { explorerUrl } = useConfig()
  const id = params.get('order')
  const { order, error, mutate } = useOrder(id)
  const { title, text } = messageOf(order)

  // The payment page's "back" link leads here: cancels the order, which ends the reservation.
  const cancelled = params.has('cancelled') && order !== undefined && isUnpaid(order)
  useEffect(() => {
    if (!cancelled || !id) return
    void cancelOrder(id).then((outcome) => mutate(outcome.ok ? outcome.data : undefined))
  }, [cancelled, id, mutate])

  return (
    <MessagePage title={title} text={text} frame={id === null}>
      <PageTitle>{title}</PageTitle>
      <div className="purchase-thanks">
        {order?.lines.map((line) => (
          <LineProgress key={line._id} line={line} timeline={order.timeline} explorerUrl={explorerUrl} />
        ))}
        {id && !order && !error && isLive(token, Date.now()) && <Skeleton className="purchase-thanks__skeleton" />}
        {id && !order && !isLive(token, Date.now()) && (
          <Notice>
            <Link to={paths.login}>Log in</Link> to follow your purchase.
          </Notice>
        )}
        {error && !order && token && (
          <Notice>
            {error.status === 404 || error.status === 403
              ? 'We could not find this purchase in your account. If you paid, you will get an email from us.'
              : 'The store is not available right now. Your purchase continues, and this page keeps updating.'}
          </Notice>
        )}
        {order && <OrderActions order={order} onChanged={(next) => void mutate(next)} />}
        {order?.state !== 'released' && (
          <p className="notice">
            Is the NFT not visible in your wallet? Check the hidden items there first. If it still does not show,{' '}
            <Link to={paths.contact}>contact us</Link>.
          </p>
        )}
        <LinkButton to={paths.home} variant="secondary">
          Back to home
        </LinkButton>
      </div>
    </MessagePage>
  )
}

/** Title and text by the order's state. */
function messageOf(order: Order | undefined): { title: string; text: string } {
  if (!order) return { title: pages.purchaseThanks.title, text: 'Typically a work arrives within minutes.' }
  if (order.state === 'released') {
    return {
      title: 'Nothing was charged',
      text: `${releaseReason(order.lines[0]?.reason ?? null)} No money has left your account.`,
    }
  }
  if (isUnpaid(order))
    return {
      title: 'Waiting for your payment',
      text: 'This page updates as soon as the card processor confirms the payment.',
    }
  if (order.state === 'completed')
    return { title: pages.purchaseThanks.title, text: 'It is in your wallet, and it is yours.' }
  return {
    title: pages.purchaseThanks.title,
    text: 'You can follow the delivery here, or close this page: the purchase continues.',
  }
}
