import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '../../ui/state.tsx'

/** Why a purchase was refused. Scrolled to: on a phone it stands below the bar whose button was pressed. */
export function RejectionNotice({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  // Newer browsers return a promise, which React would call as the effect's clean-up.
  useEffect(() => void place.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div ref={place}>
      <Notice>{children}</Notice>
    </div>
  )
}
