import { type RetryResult, retryDelivery } from '@nifty/api/minting/ops'
import { Action } from '../action/action.tsx'
import { request } from '../store/request.ts'

const results: Record<RetryResult, string> = {
  due_now: 'The delivery waits, and is tried again now.',
  fee_bump_requested: 'The delivery is signed. Its transaction is sent again with a higher fee.',
  mined: 'Nothing to retry: the transaction is in a block and waits for finality.',
  nonce_used: 'Nothing was retried: the chain has another transaction on its nonce (runbook NiftySignerHalted).',
  cancelling: 'Nothing was retried: the delivery was stopped or is past its deadline, and its nonce is cancelled.',
  fee_cap: 'Nothing was retried: the transaction pays CHAIN_MAX_FEE_GWEI already.',
  key_missing: 'Nothing was retried: the key of its signer is not configured.',
}

/** Of a delivery that waits or is signed. */
export const RetryAction = ({ lineId, of }: { lineId: string; of?: string | undefined }) => (
  <Action
    label="Retry…"
    title="Retry the delivery"
    effects={<p>A waiting delivery{of && ` of “${of}”`} is tried now, a signed one is sent again with a higher fee.</p>}
    run={async ({ reason }) => {
      const { result } = await request('minting', retryDelivery, { body: { lineId, reason } })
      return results[result]
    }}
  />
)
