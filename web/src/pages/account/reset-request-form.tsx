import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { type ResetOutcome, requestReset } from './password-reset.ts'
import { ResetMessage } from './reset-message.tsx'

/** Asks where to send the link to. `label` is what the button says. */
export function ResetRequestForm({ label }: { label: string }) {
  const [busy, run] = useBusy()
  const [outcome, setOutcome] = useState<ResetOutcome>()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim()
    void run(async () => {
      setOutcome(undefined)
      setOutcome(await requestReset(email))
    })
  }

  return (
    <form onSubmit={submit}>
      <Field label="Email" type="email" name="email" autoComplete="email" required maxLength={254} />
      <ResetMessage outcome={outcome} />
      <Button type="submit" busy={busy} busyLabel="Sending...">
        {label}
      </Button>
    </form>
  )
}
