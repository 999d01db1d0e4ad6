import './order-page.css'
import type { ApiError } from '../api.ts'
import { PageTitle } from '../frame/page-title.tsx'
import { paths } from '../paths.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/state.tsx'

/** An order that is not this reader's, or that could not be asked for. */
export function OrderMissing({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const notFound = error.status === 400 || error.status === 404
  return (
    <div className="order-missing wrap">
      <PageTitle>Order not found</PageTitle>
      <h1 tabIndex={-1}>{notFound ? 'Order not found' : 'This order could not be loaded'}</h1>
      <Empty title={notFound ? 'There is no such order in your account.' : 'The store did not answer.'}>
        <div className="order-missing__next">
          <LinkButton to={paths.orders}>Your orders</LinkButton>
          {!notFound && (
            <Button look="plain" onClick={onRetry}>
              Try again
            </Button>
          )}
        </div>
      </Empty>
    </div>
  )
}
