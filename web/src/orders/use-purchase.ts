import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useState } from 'react'
import { type ApiError, send } from '../api.ts'
import { getSession } from '../session.ts'
import type { Config } from '../use-config.ts'
import { isPaymentPage } from './payment-page.ts'

type Started = { success: true; url: string; orderId: string }
type State = { step: 'idle' } | { step: 'starting' } | { step: 'leaving' } | { step: 'refused'; error: ApiError }

/** Starts a purchase and hands the buyer to the payment page. Without a token it does nothing. */
export function usePurchase(config: Config, onRefused: () => void) {
  const [state, setState] = useState<State>({ step: 'idle' })

  // The browser may bring this page back as it was left, when the buyer returns with "back".
  useEffect(() => {
    const shownAgain = () => setState({ step: 'idle' })
    addEventListener('pageshow', shownAgain)
    return () => removeEventListener('pageshow', shownAgain)
  }, [])

  const buy = async ({ _id, price }: Pick<NftDetail, '_id' | 'price'>) => {
    if (!getSession().token || price === null || state.step === 'starting') return
    setState({ step: 'starting' })
    const outcome = await send<Started>('/api/nfts/test', {
      withToken: true,
      timeoutMs: 40_000,
      body: { amount: price, items: [{ _id, price }], termsVersion: config.termsVersion },
    })
    if (outcome.ok && isPaymentPage(outcome.data.url, config)) {
      setState({ step: 'leaving' })
      location.assign(outcome.data.url)
      return
    }
    setState(outcome.ok ? { step: 'idle' } : { step: 'refused', error: outcome.error })
    onRefused()
  }

  return {
    buy,
    busy: state.step === 'starting' || state.step === 'leaving',
    refusal: state.step === 'refused' ? state.error : undefined,
  }
}
