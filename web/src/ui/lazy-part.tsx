import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

type Props = {
  children: ReactNode
  /** While the code of the children loads, and where it failed to load. */
  fallback?: ReactNode
  /** A new value is a new try. */
  at: string
}

/** A part of a page whose code is loaded apart. */
export const LazyPart = ({ at, fallback = null, children }: Props) => (
  <ErrorBoundary at={at} fallback={fallback}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
)
