import './reset-message.css'
import type { ResetOutcome } from './password-reset.ts'

/** What the server said: green when it worked, red when it did not. */
export function ResetMessage({ outcome }: { outcome: ResetOutcome | undefined }) {
  if (!outcome) return null
  return (
    <p className="reset-message" data-ok={outcome.ok} role={outcome.ok ? 'status' : 'alert'}>
      {outcome.message}
    </p>
  )
}
