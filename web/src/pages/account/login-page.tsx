import { pages } from '@nifty/api/pages'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { creatorUrl, paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/forms/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { AuthLayout } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { useLogIn } from './use-log-in.ts'

export function LoginPage() {
  const logIn = useLogIn()
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState('')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void run(async () => {
      setProblem('')
      const answer = await logIn({ email: String(form.get('email')), password: String(form.get('password')) })
      if ('problem' in answer) return setProblem(answer.problem)
      toast.success('Logged in successfully')
      navigate(creatorUrl(answer.username))
    })
  }

  return (
    <AuthLayout
      title={pages.login.title}
      intro="Good to see you. Your works are where you left them."
      backdrop={<BackdropVideo />}
    >
      <form onSubmit={submit}>
        <Field label="Email" type="email" name="email" autoComplete="email" required />
        <Field label="Password" type="password" name="password" autoComplete="current-password" required />
        <div className="auth-layout__line">
          <Checkbox label="Remember me" name="remember" />
          <Link to={paths.resetPass}>Forgot password ?</Link>
        </div>
        {problem && (
          <p className="auth-layout__problem" role="alert">
            {problem}
          </p>
        )}
        <Button type="submit" busy={busy} busyLabel="One moment...">
          Login
        </Button>
      </form>
      <p className="auth-layout__line">
        <span>
          No account yet? <Link to={paths.signup}>Sign up</Link>
        </span>
      </p>
    </AuthLayout>
  )
}
