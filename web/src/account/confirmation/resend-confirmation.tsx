import './resend-confirmation.css'
import { type ReactNode, useState } from 'react'
import { useBusy } from '../../ui/use-busy.ts'
import { resendConfirmation } from './email-confirmation.ts'

/** That the account's e-mail address is unconfirmed, in the caller's words, and a button that sends the mail again. */
export function ResendConfirmation({ className, children }: { className: string; children: ReactNode }) {
  const [busy, run] = useBusy()
  const [message, setMessage] = useState('')

  const resend = () => run(async () => setMessage(await resendConfirmation()))

  return (
    <p className={`resend-confirmation ${className}`} role="status" tabIndex={-1}>
      {message || (
        <>
          {children}{' '}
          <button type="button" disabled={busy} onClick={() => void resend()}>
            Send the mail again
          </button>
        </>
      )}
    </p>
  )
}
