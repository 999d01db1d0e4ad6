import './state.css'
import type { ReactNode } from 'react'

/** Something is on its way. `label` is what a screen reader hears. */
export const Spinner = ({ label = 'Loading' }: { label?: string }) => (
  <span className="spinner" role="status">
    <span className="visually-hidden">{label}</span>
  </span>
)

/** Nothing is here, said kindly, with the next step as children. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <p className="empty__title">{title}</p>
    {children}
  </div>
)

/** A grey shape where something will stand. Give it the size of what comes. */
export const Skeleton = ({ className = '' }: { className?: string }) => (
  <span aria-hidden="true" className={`skeleton ${className}`} />
)

/** One quiet line about how things stand now; announced, never in the way. */
export const Notice = ({ kind = 'calm', children }: { kind?: 'calm' | 'alarm'; children: ReactNode }) => (
  <p className={`notice notice--${kind}`} role="status">
    {children}
  </p>
)
