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

/** What everybody but the owner sees: the price, who is paying now, and the way to buy. */
export function ItemBuying({ item, user, reload, onConnect }: Props) {
  const { buy, busy, refusal } = usePurchase(useConfig(), reload)
  const { orders, mutate } = useOrders({ when: item.reserved })
  const [cancelling, run] = useBusy()
  const mine = item.reserved ? openOrderFor(orders, item._id) : undefined
  const wallet = user?.metamaskAddress

  const start = () => {
    if (user && wallet) void buy(item)
    else onConnect()
  }
  const giveUp = () =>
    run(async () => {
      if (mine) await cancelOrder(mine._id)
      await mutate()
      reload()
    })

  return (
    <>
      <div>
        <p className="panel__label">Market Price</p>
        <p className="panel__price">{item.price === null ? 'Not priced yet' : <Price euros={item.price} />}</p>
      </div>

      {!item.forSale && !item.reserved && <p className="panel__closed">NOT FOR SALE</p>}
      {item.reserved && !mine && <ReservedNotice until={item.reservedUntil} />}
      {mine && (
        <div className="panel__mine">
          <p role="status">You have started to pay for this work.</p>
          <Button look="plain" busy={cancelling} busyLabel="One moment..." onClick={() => void giveUp()}>
            Give it up
          </Button>
        </div>
      )}
      {(item.forSale || mine) && <BuyControl item={item} busy={busy} held={item.reserved && !mine} onBuy={start} />}
      {refusal && <Notice>{howItIsNow(item, refusal.message)}</Notice>}

      {item.forSale && (
        <ul className="panel__promises">
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

/** After a refusal the page knows the truth again: it says that, and only else what the server said. */
function howItIsNow(item: NftDetail, message: string): string {
  if (!item.forSale) return 'This work is no longer for sale.'
  if (item.reserved) return 'Somebody was a moment faster. Nothing was charged.'
  if (item.price !== null && /price/i.test(message)) return `The price is now ${formatPrice(item.price)}.`
  return message
}
