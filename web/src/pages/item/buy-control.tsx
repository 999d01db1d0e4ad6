import './buy-control.css'
import type { ReactNode } from 'react'
import { PaymentLink } from '../../orders/open-payment.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TermsBox } from './terms-box.tsx'

type Props = {
  price: ReactNode
  /** The terms are accepted. Without it the checkbox is the browser's, as before the app has started. */
  accepted?: boolean
  onAccept?: (accepted: boolean) => void
  busy?: boolean
  /** Another buyer has reserved the item: the button stays disabled. */
  reserved?: boolean
  onBuy?: () => void
}

/** In the place of the buy button while the buyer has an unfinished payment. Its terms are accepted. */
export const ContinueControl = ({ price, url }: { price: ReactNode; url: string }) => (
  <div className="buy">
    <div className="buy__act">
      <p className="buy__price" aria-hidden="true">
        {price}
      </p>
      <PaymentLink url={url} className="buy__button" />
    </div>
  </div>
)

/** Price, terms checkbox and buy button. On a phone a bar fixed to the bottom. */
export function BuyControl({ price, accepted, onAccept, busy, reserved, onBuy }: Props) {
  return (
    <div className="buy">
      <TermsBox accepted={accepted} onAccept={onAccept} />
      <div className="buy__act">
        <p className="buy__price" aria-hidden="true">
          {price}
        </p>
        <Button
          className="buy__button"
          disabled={!accepted || reserved}
          busy={busy}
          busyLabel="One moment..."
          onClick={onBuy}
        >
          Buy Now
          <span className="buy__arrow">
            <Icon name="arrow" />
          </span>
        </Button>
      </div>
    </div>
  )
}
