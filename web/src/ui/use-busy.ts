import { useCallback, useRef, useState } from 'react'

/** Runs one async action at a time. While it runs, further calls of `run` do nothing and return undefined. */
export function useBusy(): [busy: boolean, run: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>] {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const run = useCallback(async <Result>(work: () => Promise<Result>) => {
    if (running.current) return undefined
    running.current = true
    setBusy(true)
    try {
      return await work()
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  return [busy, run]
}
