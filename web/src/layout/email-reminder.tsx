import { useState } from 'react'
import { resendConfirmation } from '../account/profile/email-confirmation.ts'
import { useBusy } from '../ui/use-busy.ts'

/** A reminder on every page, until the account's e-mail address is confirmed. */
export function EmailReminder() {
  const [busy, run] = useBusy()
  const [message, setMessage] = useState('')

  const resend = () => run(async () => setMessage(await resendConfirmation()))

  return (
    <div className="email-reminder">
      <p className="wrap" role="status" tabIndex={-1}>
        {message || (
          <>
            Please confirm your email address.{' '}
            <button type="button" disabled={busy} onClick={() => void resend()}>
              Send it again
            </button>
          </>
        )}
      </p>
    </div>
  )
}
