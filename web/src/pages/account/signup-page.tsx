import { pages } from '@nifty/api/pages'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/forms/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { AuthLayout } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { signUp } from './sign-up.ts'

export function SignupPage() {
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState('')
  const [fields, setFields] = useState<Record<string, string | undefined>>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const value = (name: string) => String(form.get(name) ?? '')
    setFields({})
    if (!form.has('terms')) return setProblem('Please accept the Terms and Conditions')
    if (value('password') !== value('repeat')) return setProblem('Passwords do not match')
    setProblem('')
    void run(async () => {
      const outcome = await signUp({
        firstName: value('firstName'),
        lastName: value('lastName'),
        username: value('username'),
        email: value('email'),
        password: value('password'),
      })
      if (outcome.kind === 'registered') {
        toast.success('Registered successfully. Check your email.')
        navigate(paths.thankYou)
      } else if (outcome.kind === 'refused') {
        toast.error(outcome.message)
        navigate(paths.error)
      } else {
        setFields(outcome.fields)
        setProblem(outcome.message)
      }
    })
  }

  return (
    <AuthLayout
      title={pages.signup.title}
      intro="Collect works that are yours, and only yours."
      backdrop={<BackdropVideo />}
    >
      <form onSubmit={submit}>
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
          autoComplete="username"
          maxLength={30}
          required
          hint='An "@" is put before it.'
          error={fields.username}
        />
        <Field label="Email" type="email" name="email" autoComplete="email" required error={fields.email} />
        <div className="form-row">
          <Field
            label="Password"
            type="password"
            name="password"
            autoComplete="new-password"
            required
            error={fields.password}
          />
          <Field label="Repeat password" type="password" name="repeat" autoComplete="new-password" required />
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
        {problem && (
          <p className="auth-layout__problem" role="alert">
            {problem}
          </p>
        )}
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
