import { retryDelivery } from '@nifty/api/minting/ops'
import { retryOutcome } from '@nifty/api/minting/retry-outcome'
import { Action } from '../action/action.tsx'
import { request } from '../store/request.ts'

/** Of a delivery that waits or is signed. */
export const RetryAction = ({ lineId, of }: { lineId: string; of?: string | undefined }) => (
  <Action
    label="Retry…"
    title="Retry the delivery"
    effects={<p>A waiting delivery{of && ` of “${of}”`} is tried now, a signed one is sent again with a higher fee.</p>}
    run={async ({ reason }) => retryOutcome(await request('minting', retryDelivery, { body: { lineId, reason } }))}
  />
)
