import { ResendConfirmation } from '../account/confirmation/resend-confirmation.tsx'

/** A reminder on every page, until the account's e-mail address is confirmed. */
export const EmailReminder = () => (
  <div className="email-reminder">
    <ResendConfirmation className="wrap">Please confirm your email address.</ResendConfirmation>
  </div>
)
