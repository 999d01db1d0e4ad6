import { orderUrl } from '../../api/paths.ts'
import { ownedLines } from '../../orders/order-copy.ts'
import { useOrders } from '../../orders/use-orders.ts'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'

/** For the owner: the order with which the work was bought in this store. */
export function BoughtHere({ itemId }: { itemId: string }) {
  const { orders } = useOrders()
  const order = orders.find((each) => ownedLines(each).some((line) => line.itemId === itemId))
  if (!order) return null
  return (
    <div className="panel__part">
      <p>
        You bought it here on <Time at={order.createdAt} />: <Link to={orderUrl(order._id)}>order</Link>.
      </p>
    </div>
  )
}
