import './lock-screen-page.css'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { initialsOf } from '../../account/profile/initials.ts'
import { paths } from '../../api/paths.ts'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { AuthLayout, FormMessage } from './auth-layout.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useLockScreenProfile } from './use-lock-screen-profile.ts'
import { useUnlock } from './use-log-in.ts'

export function LockScreenPage() {
  const { userId } = useSession()
  const { profile, error } = useLockScreenProfile(userId)
  const unlock = useUnlock()
  const navigate = useNavigate()

  const [challenge, setChallenge] = useState<string>()
  const [expired, setExpired] = useState<string>()

  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    // Spelled so in the specification.
    if (!userId || !text('password')) return { message: 'Password is requaried' }
    setExpired(undefined)
    const result = await unlock(userId, text('password'))
    if (!result) navigate(paths.home)
    else if ('problem' in result) return { message: result.problem }
    else setChallenge(result.challenge)
    return undefined
  })

  if (!userId) return <Navigate to={paths.login} replace />

  const name = profile ? `${profile.firstName} ${profile.lastName}`.trim() || 'User' : 'User'
  return (
    <AuthLayout title="Login">
      <div className="lock-screen__person">
        <Avatar src={profile?.avatar} size={72} initials={profile && initialsOf(name)} />
        <p dir="auto">{name}</p>
      </div>
      {challenge ? (
        <SecondFactorForm
          challenge={challenge}
          onLoggedIn={() => navigate(paths.home)}
          onBack={(problem) => {
            setExpired(problem)
            setChallenge(undefined)
          }}
        />
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <PasswordField label="Password" name="password" autoComplete="current-password" />
          <div className="auth-layout__line">
            <Checkbox label="Remember me" name="remember" />
            <Link to={paths.resetPass}>Forgot password</Link>
          </div>
          <FormMessage message={message || expired || (error && 'User not Found')} />
          <Button type="submit" busy={busy} busyLabel="One moment...">
            Sign in
          </Button>
        </form>
      )}
      <p className="auth-layout__line">
        <span>
          Not you? <Link to={paths.login}>Login</Link> with another account
        </span>
      </p>
    </AuthLayout>
  )
}
