import './order-actions.css'
import type { Order } from '@nifty/api/payments/public'
import { useState } from 'react'
import { itemUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { OpenPayment } from '../../orders/open-payment.tsx'
import { isUnpaid } from '../../orders/order.ts'
import { ownedLines } from '../../orders/order-copy.ts'
import { cancelOrder } from '../../orders/use-orders.ts'
import { WithdrawOffer } from '../../orders/withdraw-offer.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { switchChain, watchToken } from '../../wallet/ethereum.ts'
import { linkedWallet } from '../../wallet/linked-wallet.ts'
import { useWallets } from '../../wallet/use-wallets.ts'
import { AuctionLink } from './auction-link.tsx'

/** The buyer's actions: pay, cancel, withdraw an offer, see the auction, or add the token to the wallet. */
export function OrderActions({ order, onChanged }: { order: Order; onChanged: (order?: Order) => void }) {
  const [busy, run] = useBusy()
  const [note, setNote] = useState('')
  const config = useConfig()
  const wallets = useWallets()
  const delivered = ownedLines(order).length > 0
  const [line] = order.lines

  const cancel = () =>
    run(async () => {
      const outcome = await cancelOrder(order._id)
      setNote(outcome.ok ? '' : outcome.error.message)
      onChanged(outcome.ok ? outcome.data : undefined)
    })

  const addToWallet = () =>
    run(async () => {
      try {
        const { provider } = (await linkedWallet(wallets, order.wallet))!
        await switchChain(provider, config)
        for (const line of order.lines) await watchToken(provider, line)
      } catch {
        setNote('Your wallet did not add it. You can import it there with its contract address and token ID.')
      }
    })

  return (
    <>
      {order.deliverBy && !delivered && order.state !== 'released' && (
        <p className="notice">
          Delivered by <Time at={order.deliverBy} />, or the hold on your card is released automatically.
        </p>
      )}
      <div className="order-actions">
        <OpenPayment order={order} />
        {order.cancellable && order.kind === 'offer' && order.state === 'held' && (
          <WithdrawOffer order={order} onChanged={onChanged} />
        )}
        {order.cancellable && order.state !== 'held' && (
          <Button variant="secondary" busy={busy} busyLabel="Cancelling..." onClick={() => void cancel()}>
            {`Cancel the ${order.kind}`}
          </Button>
        )}
        {order.kind === 'bid' && line && (order.state === 'held' || isUnpaid(order)) && (
          <LinkButton variant="secondary" to={itemUrl({ ...line, ownerUsername: line.sellerUsername })}>
            See the auction
          </LinkButton>
        )}
        {order.kind === 'bid' && line && order.state === 'released' && <AuctionLink order={order} line={line} />}
        {delivered && wallets.length > 0 && order.wallet !== null && (
          <Button variant="secondary" busy={busy} busyLabel="Check your wallet..." onClick={() => void addToWallet()}>
            Add to wallet
          </Button>
        )}
      </div>
      {note && <Notice>{note}</Notice>}
    </>
  )
}
