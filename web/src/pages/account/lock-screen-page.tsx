import './lock-screen-page.css'
import { type FormEvent, useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { useSession } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/forms/field.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { AuthLayout } from './auth-layout.tsx'
import { useLockScreenProfile } from './use-lock-screen-profile.ts'
import { useUnlock } from './use-log-in.ts'

export function LockScreenPage() {
  const { userId } = useSession()
  const { profile, error } = useLockScreenProfile(userId)
  const unlock = useUnlock()
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState('')

  if (!userId) return <Navigate to={paths.login} replace />

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (!password) return setProblem('Password is requaried')
    void run(async () => {
      setProblem('')
      const refusal = await unlock(userId, password)
      if (refusal) setProblem(refusal.problem)
      else navigate(paths.home)
    })
  }

  const name = profile ? `${profile.firstName} ${profile.lastName}`.trim() || 'User' : 'User'
  const said = problem || (error ? 'User not Found' : '')
  return (
    <AuthLayout title="Login">
      <div className="lock-screen__who">
        <Avatar src={profile?.avatar} size={72} />
        <p>{name}</p>
      </div>
      <form onSubmit={submit} noValidate>
        <Field label="Password" type="password" name="password" autoComplete="current-password" />
        <div className="auth-layout__line">
          <Checkbox label="Remember me" name="remember" />
          <Link to={paths.resetPass}>Forgot password</Link>
        </div>
        {said && (
          <p className="auth-layout__problem" role="alert">
            {said}
          </p>
        )}
        <Button type="submit" busy={busy} busyLabel="One moment...">
          Sign in
        </Button>
      </form>
      <p className="auth-layout__line">
        <span>
          Not you? <Link to={paths.login}>Login</Link> with another account
        </span>
      </p>
    </AuthLayout>
  )
}
