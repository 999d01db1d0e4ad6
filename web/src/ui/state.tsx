import './state.css'
import type { ReactNode } from 'react'

/** A loading indicator. `label` is for screen readers. */
export const Spinner = ({ label = 'Loading' }: { label?: string }) => (
  <span className="spinner" role="status">
    <span className="visually-hidden">{label}</span>
  </span>
)

/** An empty state; its children are the next step. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <p className="empty__title">{title}</p>
    {children}
  </div>
)

/** A placeholder for loading content. `className` sets its size. */
export const Skeleton = ({ className = '' }: { className?: string }) => (
  <span aria-hidden="true" className={`skeleton ${className}`} />
)

/** A status line, announced to screen readers. */
export const Notice = ({ kind = 'info', children }: { kind?: 'info' | 'error'; children: ReactNode }) => (
  <p className={`notice notice--${kind}`} role="status">
    {children}
  </p>
)
