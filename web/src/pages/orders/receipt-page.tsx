import { contactAboutOrder } from '@nifty/api/contact-about'
import { orderNumber } from '@nifty/api/order-number'
import { pages } from '@nifty/api/pages'
import { useParams } from 'react-router-dom'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { orderUrl, paths } from '../../api/paths.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { useOrder } from '../../orders/use-orders.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Spinner } from '../../ui/state.tsx'
import { OrderMissing } from './order-missing.tsx'
import { Receipt } from './receipt.tsx'

export function ReceiptPage() {
  const { id = '' } = useParams()
  const { order, error, mutate } = useOrder(id)
  const { user } = useCurrentUser()

  if (!order && error) return <OrderMissing error={error} onRetry={() => void mutate()} />
  const buyer = user && { name: fullName(user), email: user.email }
  return (
    <>
      <PageTitle>{`Receipt ${orderNumber(id)}`}</PageTitle>
      <PageHead
        title={order?.captured === 0 ? 'Nothing was charged' : 'Receipt'}
        parent={{ to: paths.orders, label: pages.orders.title }}
        crumb="Receipt"
      />
      <div className="wrap">
        <div className="print-sheet__actions">
          <Button onClick={() => window.print()}>Print</Button>
          <LinkButton variant="secondary" to={orderUrl(id)}>
            Back to the order
          </LinkButton>
          <LinkButton variant="text" to={contactAboutOrder(id)}>
            A question about this order?
          </LinkButton>
        </div>
        {order ? <Receipt order={order} buyer={buyer} /> : <Spinner label="Loading your receipt" />}
      </div>
    </>
  )
}
