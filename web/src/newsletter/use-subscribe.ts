import { subscribeToNewsletter } from '@nifty/api/notification/public'
import { useEffect, useState } from 'react'
import { send } from '../api.ts'

const successFor = 3000

export type SubscribeState = 'idle' | 'submitting' | 'success'

/** Subscribes an address to the newsletter. `subscribe` returns the error messages; none means success. */
export function useSubscribe() {
  const [state, setState] = useState<SubscribeState>('idle')

  useEffect(() => {
    if (state !== 'success') return
    const timer = setTimeout(() => setState('idle'), successFor)
    return () => clearTimeout(timer)
  }, [state])

  const subscribe = async (email: string): Promise<string[]> => {
    setState('submitting')
    const outcome = await send(subscribeToNewsletter, { body: { email } })
    setState(outcome.ok ? 'success' : 'idle')
    if (outcome.ok) return []
    const messages = outcome.error.errors.map(({ msg }) => msg)
    return messages.length > 0 ? messages : ['An error occurred. Please try again.']
  }

  return { state, subscribe }
}
