import './reserved-notice.css'
import { useNow } from '../../ui/time.tsx'
import { countdown } from './countdown.ts'

/** Another buyer has reserved the item; counts down to the end of the reservation. */
export function ReservedNotice({ until }: { until: string | null }) {
  const now = useNow()
  return (
    <div className="reserved-notice">
      <p role="status">Someone is paying for this work right now.</p>
      {until && (
        <p className="reserved-notice__clock">
          Available again in <span className="tabular">{countdown(until, now)}</span> at the latest
        </p>
      )}
    </div>
  )
}
