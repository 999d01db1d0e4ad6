import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { FormMessage } from './auth-layout.tsx'
import { useCompleteLogIn } from './use-log-in.ts'

type Props = {
  challenge: string
  onLoggedIn: (signedIn: { username: string }) => void
  /** Back to the password, also when the challenge has expired. */
  onBack: (message?: string) => void
}

/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ challenge, onLoggedIn, onBack }: Props) {
  const complete = useCompleteLogIn()
  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    const result = await complete(challenge, text('code'))
    if ('username' in result) onLoggedIn(result)
    else if (result.expired) onBack(result.problem)
    else return { message: result.problem }
    return undefined
  })

  return (
    <form onSubmit={onSubmit}>
      <Field
        label="Code"
        name="code"
        hint="Six digits from your authenticator app, or one of your recovery codes."
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
        required
        // The field appears instead of the password, which had the focus.
        ref={(input) => input?.focus()}
      />
      <FormMessage message={message} />
      <Button type="submit" busy={busy} busyLabel="One moment...">
        Continue
      </Button>
      <Button variant="secondary" onClick={() => onBack()}>
        Back
      </Button>
    </form>
  )
}
