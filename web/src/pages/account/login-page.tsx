import { pages } from '@nifty/api/pages'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { mailedToken } from '../../api/mailed-token.ts'
import { creatorUrl, paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { AuthLayout, FormMessage } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useLogIn, useLogInByPasskey } from './use-log-in.ts'

export function LoginPage() {
  const logIn = useLogIn()
  const logInByPasskey = useLogInByPasskey()
  const [asking, run] = useBusy()
  const navigate = useNavigate()

  const [challenge, setChallenge] = useState<string>()
  const [expired, setExpired] = useState<string>()

  const welcome = ({ username }: { username: string }) => {
    toast.success('Logged in successfully')
    // The link of a gift has brought the visitor here.
    navigate(mailedToken('gift') === undefined ? creatorUrl(username) : paths.gift)
  }
  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    setExpired(undefined)
    const result = await logIn({ email: text('email'), password: text('password') })
    if ('problem' in result) return { message: result.problem }
    if ('challenge' in result) setChallenge(result.challenge)
    else welcome(result)
    return undefined
  })

  const passkey = () =>
    run(async () => {
      setExpired(undefined)
      const result = await logInByPasskey()
      if ('problem' in result) setExpired(result.problem)
      else welcome(result)
    })

  if (challenge)
    return (
      <AuthLayout title={pages.login.title} intro="One more step." backdrop={<BackdropVideo />}>
        <SecondFactorForm
          challenge={challenge}
          onLoggedIn={welcome}
          onBack={(problem) => {
            setExpired(problem)
            setChallenge(undefined)
          }}
        />
      </AuthLayout>
    )

  return (
    <AuthLayout title={pages.login.title} intro="Welcome back." backdrop={<BackdropVideo />}>
      <form onSubmit={onSubmit} noValidate>
        <EmailField label="Email" name="email" autoComplete="username" />
        <PasswordField label="Password" name="password" autoComplete="current-password" />
        <div className="auth-layout__line">
          <Checkbox label="Remember me" name="remember" />
          <Link to={paths.resetPass}>Forgot password ?</Link>
        </div>
        <FormMessage message={message || expired} />
        {message && (
          <p className="notice">
            Not confirmed yet? Follow the link in your mail, or <Link to={paths.resetPass}>reset your password</Link>.
          </p>
        )}
        <Button type="submit" busy={busy} busyLabel="One moment...">
          Login
        </Button>
        {typeof PublicKeyCredential !== 'undefined' && (
          <Button variant="secondary" busy={asking} busyLabel="One moment..." onClick={() => void passkey()}>
            Log in with a passkey
          </Button>
        )}
      </form>
      <p className="auth-layout__line">
        <span>
          No account yet? <Link to={paths.signup}>Sign up</Link>
        </span>
      </p>
    </AuthLayout>
  )
}
