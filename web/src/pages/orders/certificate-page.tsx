import { pages } from '@nifty/api/pages'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { useParams } from 'react-router-dom'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { orderUrl, paths } from '../../api/paths.ts'
import { useWithdrawalOf } from '../../custody/use-withdrawals.ts'
import { useItem } from '../../items/use-item.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { useTokenMetadata } from '../../minting/use-token-metadata.ts'
import { deliveredAt, ownedLines } from '../../orders/order-copy.ts'
import { useOrder } from '../../orders/use-orders.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Empty, Spinner } from '../../ui/state.tsx'
import { Certificate } from './certificate.tsx'
import { OrderMissing } from './order-missing.tsx'

export function CertificatePage() {
  const { id = '' } = useParams()
  const { order, error, mutate } = useOrder(id)
  if (!order && error) return <OrderMissing error={error} onRetry={() => void mutate()} />
  const lines = order ? ownedLines(order) : []
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
        {order && lines.length === 0 && <Empty title="There is a certificate once the work has arrived." />}
        {order && lines.map((line) => <LineCertificate key={line._id} order={order} line={line} />)}
      </div>
    </>
  )
}

function LineCertificate({ order, line }: { order: Order; line: OrderLine }) {
  const { user } = useCurrentUser()
  const { contract, identifier, sellerUsername, itemId } = line
  const { item } = useItem({ username: sellerUsername ?? 'unknown', contract, identifier })
  const metadata = useTokenMetadata({ contract, identifier })
  const withdrawal = useWithdrawalOf(order)(line)
  const creator = item?.creator
  return (
    <Certificate
      order={order}
      line={line}
      owner={user ? fullName(user) : (order.wallet ?? 'its buyer')}
      artist={creator ? fullName(creator) : undefined}
      imageSha256={metadata?.image_sha256}
      deliveredAt={deliveredAt(order, itemId)}
      withdrawnTo={withdrawal?.wallet}
    />
  )
}
