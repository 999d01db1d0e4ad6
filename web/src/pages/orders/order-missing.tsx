import type { ApiError } from '../../api/api.ts'
import { paths } from '../../api/paths.ts'
import { MissingPage } from '../../layout/page/missing-page.tsx'
import { LinkButton } from '../../ui/button.tsx'

/** Shown for an order that does not exist, belongs to another account or could not be loaded. */
export function OrderMissing({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const notFound = error.status === 400 || error.status === 404
  return (
    <MissingPage
      title={notFound ? 'Order not found' : 'This order could not be loaded'}
      text={notFound ? 'There is no such order in your account.' : 'The store is not available right now.'}
      onRetry={notFound ? undefined : onRetry}
    >
      <LinkButton to={paths.orders}>Your orders</LinkButton>
    </MissingPage>
  )
}
