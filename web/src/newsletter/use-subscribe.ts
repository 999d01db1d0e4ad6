import { subscribeToNewsletter } from '@nifty/api/notification/public'
import { useEffect, useState } from 'react'
import { send } from '../api/api.ts'
import { useBusy } from '../ui/use-busy.ts'

const successFor = 3000

export type SubscribeState = 'idle' | 'submitting' | 'success'

/**
 * Subscribes an address to the newsletter. `subscribe` returns the error messages; none means success, undefined that
 * it was not done.
 */
export function useSubscribe() {
  const [submitting, run] = useBusy()
  const [succeeded, setSucceeded] = useState(false)

  useEffect(() => {
    if (!succeeded) return
    const timer = setTimeout(() => setSucceeded(false), successFor)
    return () => clearTimeout(timer)
  }, [succeeded])

  const subscribe = (email: string): Promise<string[] | undefined> =>
    run(async () => {
      const outcome = await send(subscribeToNewsletter, { body: { email } })
      setSucceeded(outcome.ok)
      if (outcome.ok) return []
      const messages = outcome.error.errors.map(({ msg }) => msg)
      return messages.length > 0 ? messages : ['An error occurred. Please try again.']
    })

  const state: SubscribeState = submitting ? 'submitting' : succeeded ? 'success' : 'idle'
  return { state, subscribe }
}
