import { pages } from '@nifty/api/pages'
import { useParams } from 'react-router-dom'
import { orderUrl, paths } from '../../api/paths.ts'
import { OwnCertificate } from '../../certificates/own-certificate.tsx'
import { useGiftOf } from '../../gifts/use-gifts.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { keptLines, ownedLines } from '../../orders/order-copy.ts'
import { useOrder } from '../../orders/use-orders.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { OrderMissing } from './order-missing.tsx'

/** The certificates of an order's works. */
export function CertificatePage() {
  const { id = '' } = useParams()
  const { order, error, mutate } = useOrder(id)
  const { giftOf } = useGiftOf(order)
  if (!order && error) return <OrderMissing error={error} onRetry={() => void mutate()} />
  const lines = order ? keptLines(order, giftOf) : []
  return (
    <>
      <PageHead
        title={pages.certificate.title}
        parent={{ to: paths.orders, label: pages.orders.title }}
        crumb="Certificate"
      />
      <div className="wrap">
        <div className="print-sheet__actions">
          {lines.length > 0 && <Button onClick={() => window.print()}>Print</Button>}
          <LinkButton variant="secondary" to={orderUrl(id)}>
            Back to the order
          </LinkButton>
        </div>
        {!order && <Spinner label="Loading your certificate" />}
        {order && lines.length === 0 && (
          <Empty
            title={
              ownedLines(order).length > 0
                ? 'You gave this work away: it has no certificate for you.'
                : 'There is a certificate once the work has arrived.'
            }
          />
        )}
        {lines.map((line) => (
          <OwnCertificate key={line._id} token={line} />
        ))}
      </div>
    </>
  )
}
