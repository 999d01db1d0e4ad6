import { useCallback, useRef, useState } from 'react'
import { toast } from './toast.tsx'

/**
 * Runs one async action at a time. While it runs, further calls of `run` do nothing and return undefined. An exception
 * ends it with a toast: it is unexpected, as requests and wallets have outcomes.
 */
export function useBusy(): [busy: boolean, run: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>] {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const run = useCallback(async <Result>(work: () => Promise<Result>) => {
    if (running.current) return undefined
    running.current = true
    setBusy(true)
    try {
      return await work()
    } catch (error) {
      reportError(error)
      toast.error('Something went wrong. Please try again.')
      return undefined
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  return [busy, run]
}
