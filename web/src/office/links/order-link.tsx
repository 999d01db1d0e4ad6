import { orderNumber } from '@nifty/api/order-number'
import { Link } from '../../ui/link.tsx'

export const OrderLink = ({ id }: { id: string }) => (
  <Link className="tabular" to={`/orders/${id}`}>
    {orderNumber(id)}
  </Link>
)
