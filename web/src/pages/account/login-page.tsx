import { pages } from '@nifty/api/pages'
import { Link, useNavigate } from 'react-router-dom'
import { creatorUrl, paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/forms/field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { toast } from '../../ui/toast.tsx'
import { AuthLayout, FormMessage } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { useLogIn } from './use-log-in.ts'

export function LoginPage() {
  const logIn = useLogIn()
  const navigate = useNavigate()

  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    const result = await logIn({ email: text('email'), password: text('password') })
    if ('problem' in result) return { message: result.problem }
    toast.success('Logged in successfully')
    navigate(creatorUrl(result.username))
    return undefined
  })

  return (
    <AuthLayout title={pages.login.title} intro="Welcome back." backdrop={<BackdropVideo />}>
      <form onSubmit={onSubmit}>
        <Field label="Email" type="email" name="email" autoComplete="email" required />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <div className="auth-layout__line">
          <Checkbox label="Remember me" name="remember" />
          <Link to={paths.resetPass}>Forgot password ?</Link>
        </div>
        <FormMessage message={message} />
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
