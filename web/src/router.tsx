import { type ReactNode, startTransition, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type NavigateOptions,
  Router,
  useLocation,
  useNavigate,
} from 'react-router'

/**
 * React Router on the history of the browser. Its own `BrowserRouter` is in one module with its forms, fetchers and
 * prefetching, which no bundler takes apart: 4 kB of every first visit (services/decisions/023).
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setState] = useState({ action: history.action, location: history.location })
  useLayoutEffect(() => history.listen((next) => startTransition(() => setState(next))), [history])
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  )
}

/** The query of the address, and a function that navigates to another one. */
export function useSearchParams() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const setParams = useCallback(
    (next: URLSearchParams | Record<string, string>, options?: NavigateOptions) =>
      void navigate(`?${new URLSearchParams(next)}`, options),
    [navigate],
  )
  return [params, setParams] as const
}
