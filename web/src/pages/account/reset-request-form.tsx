import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { FormMessage } from './auth-layout.tsx'
import { type ResetOutcome, requestReset } from './password-reset.ts'

/** The form that requests a reset mail. `label` is the button's text. */
export function ResetRequestForm({ label }: { label: string }) {
  const [outcome, setOutcome] = useState<ResetOutcome>()

  const { busy, onSubmit } = useForm(async ({ text }) => {
    setOutcome(undefined)
    setOutcome(await requestReset(text('email').trim()))
    return undefined
  })

  return (
    <form onSubmit={onSubmit}>
      <EmailField label="Email" name="email" autoComplete="username" required maxLength={254} />
      <FormMessage message={outcome?.message} ok={outcome?.ok} />
      <Button type="submit" busy={busy} busyLabel="Sending...">
        {label}
      </Button>
    </form>
  )
}
