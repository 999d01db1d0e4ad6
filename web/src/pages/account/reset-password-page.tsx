import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { AuthLayout } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { type ResetOutcome, setNewPassword } from './password-reset.ts'
import { ResetMessage } from './reset-message.tsx'

const goOnAfter = 3000

export function ResetPasswordPage() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [outcome, setOutcome] = useState<ResetOutcome>()
  const done = outcome?.ok ?? false

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate(paths.login), goOnAfter)
    return () => clearTimeout(timer)
  }, [done, navigate])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = String(form.get('newPassword') ?? '')
    if (password !== form.get('confirmPassword')) return setOutcome({ ok: false, message: 'Passwords do not match.' })
    void run(async () => {
      setOutcome(undefined)
      setOutcome(await setNewPassword(token, password))
    })
  }

  return (
    <AuthLayout title="Reset Password" backdrop={<BackdropVideo />}>
      <form onSubmit={submit}>
        <Field
          label="New Password"
          type="password"
          name="newPassword"
          autoComplete="new-password"
          required
          maxLength={256}
        />
        <Field
          label="Confirm Password"
          type="password"
          name="confirmPassword"
          autoComplete="new-password"
          required
          maxLength={256}
        />
        <ResetMessage outcome={outcome} />
        <Button type="submit" busy={busy} busyLabel="Updating..." disabled={done}>
          Reset Password
        </Button>
      </form>
      <p className="auth-layout__line">
        {done ? <Link to={paths.login}>Go to log-in now</Link> : <Link to={paths.resetPass}>Send me a new link</Link>}
      </p>
    </AuthLayout>
  )
}
