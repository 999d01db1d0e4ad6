import './reserved-notice.css'
import { countdown, useNow } from '../../ui/time.tsx'

/** Somebody is paying for the work right now, and when it is free again if they do not. */
export function ReservedNotice({ until }: { until: string | null }) {
  const now = useNow()
  return (
    <div className="reserved-notice">
      <p role="status">Someone is paying for this work right now.</p>
      {until && (
        <p className="reserved-notice__clock">
          Free again in <span className="tabular">{countdown(until, now)}</span> at the latest
        </p>
      )}
    </div>
  )
}
