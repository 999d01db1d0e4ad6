import { orderNumber } from '@nifty/api/order-number'
import { useSearchParams } from 'react-router-dom'
import './purchase-thanks-page.css'
import { pages } from '@nifty/api/pages'
import type { Order } from '@nifty/api/payments/public'
import { useEffect } from 'react'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { certificateUrl, creatorUrl, itemUrl, orderUrl, paths, receiptUrl } from '../../api/paths.ts'
import { forgetReturn, rememberReturn } from '../../api/return-to.ts'
import { isLive, useSession } from '../../api/session.ts'
import { useConfig } from '../../api/use-config.ts'
import { useWithdrawalOf } from '../../custody/use-withdrawals.ts'
import { forgetGiftDrafts } from '../../gifts/gift-draft.ts'
import { OrderGift } from '../../gifts/order-gift.tsx'
import { useGiftOf } from '../../gifts/use-gifts.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { isUnpaid, releaseReason } from '../../orders/order.ts'
import { type Holder, holderOf, keptLines } from '../../orders/order-copy.ts'
import { cancelOrder, useOrder } from '../../orders/use-orders.ts'
import { ShareButton } from '../../share/share-button.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { LineProgress } from './line-progress.tsx'
import { OrderActions } from './order-actions.tsx'

export function PurchaseThanksPage() {
  const [params] = useSearchParams()
  const { token, userId } = useSession()
  const { explorerUrl } = useConfig()
  const id = params.get('order')
  const { order, error, mutate } = useOrder(id)
  const returnedFromPaying = !params.has('cancelled')
  const withdrawalOf = useWithdrawalOf(order)
  const { giftOf } = useGiftOf(order)
  const holder = order ? holderOf(order, { withdrawalOf, giftOf }) : 'custody'
  const isLoggedIn = isLive(token, Date.now())
  const { title, text } = messageOf(order, { returnedFromPaying, holder })

  // The payment page's "back" link leads here: cancels the order, which ends the reservation.
  const cancelled = params.has('cancelled') && order !== undefined && isUnpaid(order)
  useEffect(() => {
    if (!cancelled || !id) return
    void cancelOrder(id).then((outcome) => mutate(outcome.ok ? outcome.data : undefined))
  }, [cancelled, id, mutate])

  // The session ended at the card processor's page: the log-in leads to the order.
  useEffect(() => {
    if (id && !isLoggedIn) rememberReturn({ path: orderUrl(id), title: `Your order ${orderNumber(id)}` })
  }, [id, isLoggedIn])

  // What was paid for is no longer to be continued. A cancelled purchase still is.
  const paid = id !== null && isLoggedIn && returnedFromPaying
  useEffect(() => {
    if (!paid) return
    forgetReturn()
    forgetGiftDrafts()
  }, [paid])

  return (
    <MessagePage title={title} text={text} frame={id === null}>
      <PageTitle>{title}</PageTitle>
      <div className="purchase-thanks">
        {order?.lines.map((line) => (
          <LineProgress key={line._id} line={line} order={order} explorerUrl={explorerUrl} />
        ))}
        {id && !order && !error && isLoggedIn && <Skeleton className="purchase-thanks__skeleton" />}
        {id && !order && !isLoggedIn && (
          <Notice>
            <Link to={userId ? paths.lockScreen : paths.login}>Log in</Link> to follow your purchase.
          </Notice>
        )}
        {error && !order && token && (
          <Notice>
            {error.status === 404 || error.status === 403
              ? 'We could not find this purchase in your account. If you paid, you will get an email from us.'
              : 'The store is not available right now. Your purchase continues, and this page keeps updating.'}
          </Notice>
        )}
        {order && <OrderGift order={order} />}
        {order && !(isUnpaid(order) && returnedFromPaying) && (
          <OrderActions order={order} onChanged={(next) => void mutate(next)} />
        )}
        {(id === null || (order && order.state !== 'released' && order.wallet !== null)) && (
          <p className="notice">
            Is the NFT not visible in your wallet? Check the hidden items there first. If it still does not show,{' '}
            <Link to={paths.contact}>contact us</Link>.
          </p>
        )}
        <nav className="purchase-thanks__links" aria-label="Your purchase">
          {order && <PurchaseLinks order={order} />}
          <LinkButton to={paths.home} variant={id ? 'text' : 'secondary'}>
            Back to home
          </LinkButton>
        </nav>
      </div>
    </MessagePage>
  )
}

/** The ways on from a purchase. The main one is the work among the buyer's own; its papers are links beside it. */
function PurchaseLinks({ order }: { order: Order }) {
  const { user } = useCurrentUser()
  const [line] = order.lines
  const { giftOf } = useGiftOf(order)
  const kept = keptLines(order, giftOf)
  return (
    <>
      {kept.length > 0 && user && <LinkButton to={creatorUrl(user.username)}>See it in your profile</LinkButton>}
      <LinkButton to={orderUrl(order._id)} variant="text">
        Your order
      </LinkButton>
      {order.captured > 0 && (
        <LinkButton to={receiptUrl(order._id)} variant="text">
          Receipt
        </LinkButton>
      )}
      {kept.length > 0 && (
        <LinkButton to={certificateUrl(order._id)} variant="text">
          Certificate
        </LinkButton>
      )}
      {kept.map((each) => (
        <ShareButton
          key={each._id}
          path={itemUrl({ ...each, ownerUsername: user?.username ?? each.sellerUsername })}
          title={each.name}
        />
      ))}
      {order.state === 'released' && line && (
        <LinkButton to={itemUrl({ ...line, ownerUsername: line.sellerUsername })} variant="secondary">
          Back to the work
        </LinkButton>
      )}
    </>
  )
}

const arrivedTexts: Record<Holder, string> = {
  custody: 'It is yours, and we keep it for you.',
  withdrawn: 'It is in your wallet, and it is yours.',
  offered: 'It is yours until your gift is accepted, and we keep it here.',
  given: 'Your gift was accepted: it went to its recipient.',
}

/** Title and text by the order's state. */
function messageOf(
  order: Order | undefined,
  { returnedFromPaying, holder }: { returnedFromPaying: boolean; holder: Holder },
): { title: string; text: string } {
  if (!order)
    return returnedFromPaying
      ? { title: pages.purchaseThanks.title, text: 'Typically a work arrives within minutes.' }
      : { title: 'Back from the payment page', text: 'What you have not paid for is not charged.' }
  if (order.state === 'released') {
    return {
      title: 'Nothing was charged',
      text: `${releaseReason(order.lines[0]?.reason ?? null, order)} No money has left your account.`,
    }
  }
  if (isUnpaid(order) && returnedFromPaying)
    return {
      title: 'Your bank is confirming',
      text: 'This usually takes seconds. This page updates as soon as the payment is confirmed.',
    }
  if (isUnpaid(order))
    return {
      title: 'Waiting for your payment',
      text: 'This page updates as soon as the card processor confirms the payment.',
    }
  if (order.state === 'completed')
    return {
      title: pages.purchaseThanks.title,
      text: order.wallet === null ? arrivedTexts[holder] : arrivedTexts.withdrawn,
    }
  return {
    title: pages.purchaseThanks.title,
    text: 'You can follow the delivery here, or close this page: the purchase continues.',
  }
}
