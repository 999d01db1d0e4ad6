import '../../ui/steps.css'
import type { Order } from '@nifty/api/payments/public'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { creatorUrl, orderUrl } from '../../api/paths.ts'
import { stepsOf } from '../../orders/order.ts'
import { ownedLines } from '../../orders/order-copy.ts'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'

/** The steps of an offer or a bid that is delivered or has arrived, and the ways to its order and to the work. */
export function DeliverySteps({ order }: { order: Order }) {
  const { user } = useCurrentUser()
  const [line] = order.lines
  if (!line) return null
  return (
    <>
      <ol className="offer__steps steps">
        {stepsOf(line, order).map(({ state, title, at, phase }) => (
          <li key={state} data-phase={phase} aria-current={phase === 'now' ? 'step' : undefined}>
            {title}
            {at && (
              <span className="notice">
                <Time at={at} as="recent" />
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className="offer__links">
        {user && ownedLines(order).length > 0 && <Link to={creatorUrl(user.username)}>See it in your profile</Link>}
        <Link to={orderUrl(order._id)}>Your order</Link>
      </p>
    </>
  )
}
