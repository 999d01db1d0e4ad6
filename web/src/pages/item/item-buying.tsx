import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { type GiftDraft, keepGiftDraft, readGiftDraft } from '../../gifts/gift-draft.ts'
import { ReservedForYou, useOpenPayment } from '../../orders/open-payment.tsx'
import { deliverToOf, isUnderDelivery, openOrderFor } from '../../orders/order.ts'
import { declinedText, unfinishedText } from '../../orders/order-copy.ts'
import { cancelOrder, useOrders } from '../../orders/use-orders.ts'
import type { usePurchase } from '../../orders/use-purchase.ts'
import { Button } from '../../ui/button.tsx'
import { Price } from '../../ui/price.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { BuyControl, ContinueControl } from './buy-control.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { GiftChoice } from './gift-choice.tsx'
import { ItemOffers } from './item-offers.tsx'
import { unpricedText } from './item-summary.tsx'
import { describeRejection } from './rejection.ts'
import { RejectionNotice } from './rejection-notice.tsx'
import { ReservedNotice } from './reserved-notice.tsx'
import type { useChoices } from './use-choices.ts'
import { useOwnOffer } from './use-own-offer.ts'

type Props = {
  item: NftDetail
  user: CurrentUser | undefined
  /** The buyer has become the owner while the page was open: only how their offer went on is shown. */
  isOwner: boolean
  purchase: ReturnType<typeof usePurchase>
  choices: ReturnType<typeof useChoices>
  reload: () => void
  /** A buyer who is logged out, or has no wallet and has not chosen custody, pressed Buy Now. */
  onConnect: () => void
}

/** The panel for everyone who does not own the work as the page opens: price, reservation and purchase. */
export function ItemBuying({ item, user, isOwner, purchase, choices, reload, onConnect }: Props) {
  const { accepted, accept, deliverTo, setDeliverTo } = choices
  const { buy, busy, error } = purchase
  const { orders, mutate } = useOrders({ enabled: item.reserved })
  const [cancelling, run] = useBusy()
  const ownOrder = item.reserved ? openOrderFor(orders, item._id) : undefined
  const payment = useOpenPayment(ownOrder)
  const own = useOwnOffer(item._id, { enabled: user !== undefined })
  /** The work is reserved for the buyer's offer, and delivered. */
  const isAccepted = own.offer !== undefined && isUnderDelivery(own.offer)
  const price = item.price !== null && <Price euros={item.price} />
  const wallet = user?.metamaskAddress
  const [gift, setGift] = useState(() => readGiftDraft(item._id))
  const chooseGift = (entered: GiftDraft | null) => {
    keepGiftDraft(item._id, entered)
    setGift(entered)
  }

  const start = () => {
    // An unfinished purchase continues with the recipient that it was started with.
    const chosen = ownOrder ? deliverToOf(ownOrder) : deliverTo
    if (user && (gift || wallet || chosen === 'custody')) {
      choices.keep()
      if (gift && !ownOrder) void buy(item, 'custody', gift)
      else void buy(item, chosen, ownOrder ? undefined : null)
    } else onConnect()
  }
  const cancel = () =>
    run(async () => {
      if (ownOrder) await cancelOrder(ownOrder._id)
      await mutate()
      reload()
    })

  return (
    <>
      {!isOwner && (
        <>
          <div>
            <p className="panel__label">Market Price</p>
            <p className="panel__price">{item.price === null ? unpricedText(item) : <Price euros={item.price} />}</p>
          </div>

          {!item.forSale && !item.reserved && (
            <p>
              <span className="panel__not-for-sale">NOT FOR SALE</span>
              {item.offers && ' at a fixed price: its owner takes offers'}
            </p>
          )}
          {item.reserved && !ownOrder && !isAccepted && <ReservedNotice until={item.reservedUntil} />}
          {ownOrder && (
            <div className="panel__own-order">
              <p role="status">
                {declinedText(ownOrder)}
                {unfinishedText(ownOrder)}
              </p>
              {payment && <ReservedForYou order={ownOrder} />}
              <Button variant="secondary" busy={cancelling} busyLabel="One moment..." onClick={() => void cancel()}>
                Cancel purchase
              </Button>
            </div>
          )}
          {user && item.forSale && !item.reserved && <GiftChoice gift={gift} onChange={chooseGift} />}
          {payment && <ContinueControl price={price} url={payment} />}
          {(item.forSale || ownOrder) && !payment && !isAccepted && (
            <BuyControl
              price={price}
              accepted={accepted}
              onAccept={accept}
              busy={busy}
              reserved={item.reserved && !ownOrder}
              onBuy={start}
            />
          )}
          {error && (
            <RejectionNotice>
              {describeRejection(item, {
                message: error.message,
                isOwnOrder: Boolean(ownOrder),
                isOffline: error.status === 0 && !navigator.onLine,
              })}
            </RejectionNotice>
          )}
        </>
      )}

      <ItemOffers
        item={item}
        user={user}
        isOwner={isOwner}
        own={own}
        choices={choices}
        reload={reload}
        onConnect={onConnect}
      />

      {!isOwner && item.forSale && (
        <ul className="panel__notes">
          <li>
            Your card is only held at first. It is charged once the work has arrived; if it cannot arrive, nothing is
            charged.
          </li>
          {user && !ownOrder && !gift && (wallet || deliverTo === 'custody') && (
            <DeliveryChoice userId={user._id} wallet={wallet ?? null} deliverTo={deliverTo} onChange={setDeliverTo} />
          )}
          <li>
            You own the token, and may show and resell the work. The copyright stays with the artist; commercial use
            needs their permission.
          </li>
        </ul>
      )}
    </>
  )
}
