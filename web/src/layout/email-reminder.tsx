import { useState } from 'react'
import { resendConfirmation } from '../account/email-confirmation.ts'
import { useCurrentUser } from '../account/use-current-user.ts'
import { useBusy } from '../ui/use-busy.ts'

/** An address that nobody has confirmed yet: said quietly on every page until it is. */
export function EmailReminder() {
  const { user } = useCurrentUser()
  const [busy, run] = useBusy()
  const [answer, setAnswer] = useState('')
  if (!user || user.emailConfirmed) return null

  const resend = () => run(async () => setAnswer(await resendConfirmation()))

  return (
    <div className="email-reminder">
      <p className="wrap" role="status">
        {answer || (
          <>
            Please confirm your email address: the link is in your mail box.{' '}
            <button type="button" disabled={busy} onClick={() => void resend()}>
              Send it again
            </button>
          </>
        )}
      </p>
    </div>
  )
}
