import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { Link } from 'react-router-dom'
import { openOrderFor } from '../../orders/order.ts'
import { cancelOrder, useOrders } from '../../orders/use-orders.ts'
import { usePurchase } from '../../orders/use-purchase.ts'
import { settingsUrl } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { formatPrice, Price } from '../../ui/price.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useConfig } from '../../use-config.ts'
import { BuyControl } from './buy-control.tsx'
import { ReservedNotice } from './reserved-notice.tsx'

type Props = { item: NftDetail; user: CurrentUser | undefined; reload: () => void; onConnect: () => void }

/** The panel for everyone but the owner: price, reservation and purchase. */
export function ItemBuying({ item, user, reload, onConnect }: Props) {
  const { buy, busy, error } = usePurchase(useConfig(), reload)
  const { orders, mutate } = useOrders({ enabled: item.reserved })
  const [cancelling, run] = useBusy()
  const ownOrder = item.reserved ? openOrderFor(orders, item._id) : undefined
  const wallet = user?.metamaskAddress

  const start = () => {
    if (user && wallet) void buy(item)
    else onConnect()
  }
  const cancel = () =>
    run(async () => {
      if (ownOrder) await cancelOrder(ownOrder._id)
      await mutate()
      reload()
    })

  return (
    <>
      <div>
        <p className="panel__label">Market Price</p>
        <p className="panel__price">{item.price === null ? 'Not priced yet' : <Price euros={item.price} />}</p>
      </div>

      {!item.forSale && !item.reserved && <p className="panel__not-for-sale">NOT FOR SALE</p>}
      {item.reserved && !ownOrder && <ReservedNotice until={item.reservedUntil} />}
      {ownOrder && (
        <div className="panel__own-order">
          <p role="status">You have an unfinished payment for this work.</p>
          <Button variant="secondary" busy={cancelling} busyLabel="One moment..." onClick={() => void cancel()}>
            Cancel purchase
          </Button>
        </div>
      )}
      {(item.forSale || ownOrder) && (
        <BuyControl item={item} busy={busy} reserved={item.reserved && !ownOrder} onBuy={start} />
      )}
      {error && <Notice>{describeRejection(item, error.message)}</Notice>}

      {item.forSale && (
        <ul className="panel__notes">
          <li>
            Your card is only held at first. It is charged once the work has arrived; if it cannot arrive, nothing is
            charged.
          </li>
          {user && wallet && (
            <li>
              Delivered to your wallet <span className="tabular">{shorten(wallet, 6, 6)}</span>.{' '}
              <Link to={settingsUrl(user._id)}>Change</Link>
            </li>
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

/** After a rejection, describes the refreshed item; otherwise shows the server's message. */
function describeRejection(item: NftDetail, message: string): string {
  if (!item.forSale) return 'This work is no longer for sale.'
  if (item.reserved) return 'Another buyer was faster. Nothing was charged.'
  if (item.price !== null && /price/i.test(message)) return `The price is now ${formatPrice(item.price)}.`
  return message
}
