import { pages } from '@nifty/api/pages'
import { USERNAME_CHARACTERS } from '@nifty/api/usernames'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { Checkbox, Field } from '../../ui/forms/field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import { AuthLayout, FormMessage } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { signUp } from './sign-up.ts'

export function SignupPage() {
  const navigate = useNavigate()

  const { busy, onSubmit, message, fields } = useForm(async ({ text, checked }) => {
    if (!checked('terms')) return { message: 'Please accept the Terms and Conditions' }
    if (text('password') !== text('repeat')) return { message: 'Passwords do not match' }
    const outcome = await signUp({
      firstName: text('firstName'),
      lastName: text('lastName'),
      username: text('username'),
      email: text('email'),
      password: text('password'),
    })
    if (outcome.kind === 'failed') return outcome
    if (outcome.kind === 'rejected') {
      toast.error(outcome.message)
      navigate(paths.error)
    } else {
      toast.success('Registered successfully. Check your email.')
      navigate(paths.thankYou)
    }
    return undefined
  })

  return (
    <AuthLayout
      title={pages.signup.title}
      intro="Create an account to collect digital art."
      backdrop={<BackdropVideo />}
    >
      <form onSubmit={onSubmit}>
        <div className="form-row">
          <Field
            label="First name"
            name="firstName"
            autoComplete="given-name"
            maxLength={80}
            error={fields.firstName}
          />
          <Field label="Last name" name="lastName" autoComplete="family-name" maxLength={80} error={fields.lastName} />
        </div>
        <Field
          label="Username"
          name="username"
          autoComplete="nickname"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={30}
          required
          hint={`An "@" is put before it. ${USERNAME_CHARACTERS}`}
          error={fields.username}
        />
        <EmailField label="Email" name="email" autoComplete="username" required error={fields.email} />
        <div className="form-row">
          <PasswordField
            label="Password"
            name="password"
            autoComplete="new-password"
            required
            error={fields.password}
          />
          <PasswordField label="Repeat password" name="repeat" autoComplete="new-password" required />
        </div>
        <Checkbox
          name="terms"
          label={
            <>
              I accept the{' '}
              <Link to={paths.terms} target="_blank" rel="noopener">
                Terms and Conditions
              </Link>
            </>
          }
        />
        {/* An error of a field stands beside it. */}
        <FormMessage message={Object.values(fields).includes(message) ? undefined : message} />
        <Button type="submit" busy={busy} busyLabel="One moment...">
          Sign up
        </Button>
      </form>
      <p className="auth-layout__line">
        <span>
          Already have an account? <Link to={paths.login}>Login</Link>
        </span>
      </p>
    </AuthLayout>
  )
}
