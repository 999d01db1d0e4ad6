import type { NftDetail } from '@nifty/api/catalog/public'
import type { FrontEndConfig } from '@nifty/api/gateway'
import { type DeliverTo, startPurchase } from '@nifty/api/payments/public'
import { useEffect, useState } from 'react'
import { ApiError, send } from '../api/api.ts'
import { getSession } from '../api/session.ts'
import { isPaymentPage } from './payment-page.ts'

type State = { step: 'idle' } | { step: 'starting' } | { step: 'redirecting' } | { step: 'rejected'; error: ApiError }

/**
 * Starts a purchase and redirects to the payment page. Does nothing without a token. `onRejected` gets the code of the
 * server, if there is one, and is awaited before the rejection is shown.
 */
export function usePurchase(config: FrontEndConfig, onRejected: (code?: string) => Promise<unknown>) {
  const [state, setState] = useState<State>({ step: 'idle' })

  // The browser's back button may restore this page from the back/forward cache.
  useEffect(() => {
    const reset = () => setState({ step: 'idle' })
    addEventListener('pageshow', reset)
    return () => removeEventListener('pageshow', reset)
  }, [])

  /** `gift`: absent for an order that is continued, which keeps what it was started with; null: for oneself. */
  const buy = async (
    { _id, price }: Pick<NftDetail, '_id' | 'price'>,
    deliverTo: DeliverTo,
    gift?: { email: string; text: string } | null,
  ) => {
    if (!getSession().token || price === null || state.step === 'starting') return
    setState({ step: 'starting' })
    // The state after an unexpected exception, which the order may have been placed before.
    let end: State = { step: 'rejected', error: new ApiError(0, {}) }
    try {
      const outcome = await send(startPurchase, {
        timeoutMs: 40_000,
        body: { amount: price, items: [{ _id, price }], termsVersion: config.termsVersion, deliverTo, gift },
      })
      if (outcome.ok && isPaymentPage(outcome.data.url, config)) {
        location.assign(outcome.data.url)
        end = { step: 'redirecting' }
      } else end = outcome.ok ? { step: 'idle' } : { step: 'rejected', error: outcome.error }
    } finally {
      if (end.step !== 'redirecting') await onRejected(end.step === 'rejected' ? end.error.code : undefined)
      setState(end)
    }
  }

  return {
    buy,
    busy: state.step === 'starting' || state.step === 'redirecting',
    error: state.step === 'rejected' ? state.error : undefined,
  }
}
