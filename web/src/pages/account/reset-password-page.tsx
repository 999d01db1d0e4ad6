import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { mailedToken } from '../../api/mailed-token.ts'
import { paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { AuthLayout, FormMessage } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { type ResetOutcome, setNewPassword } from './password-reset.ts'

/** Milliseconds between the success message and the log-in page. */
const redirectAfter = 3000

export function ResetPasswordPage() {
  const token = mailedToken('reset') ?? ''
  const navigate = useNavigate()
  const [outcome, setOutcome] = useState<ResetOutcome>()
  const done = outcome?.ok ?? false

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate(paths.login), redirectAfter)
    return () => clearTimeout(timer)
  }, [done, navigate])

  const { busy, onSubmit } = useForm(async ({ text }) => {
    const password = text('newPassword')
    setOutcome(undefined)
    const matches = password === text('confirmPassword')
    setOutcome(matches ? await setNewPassword(token, password) : { ok: false, message: 'Passwords do not match.' })
    return undefined
  })

  return (
    <AuthLayout title="Reset Password" backdrop={<BackdropVideo />}>
      <form onSubmit={onSubmit}>
        <PasswordField label="New Password" name="newPassword" autoComplete="new-password" required maxLength={256} />
        <PasswordField
          label="Confirm Password"
          name="confirmPassword"
          autoComplete="new-password"
          required
          maxLength={256}
        />
        <FormMessage message={outcome?.message} ok={outcome?.ok} />
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
