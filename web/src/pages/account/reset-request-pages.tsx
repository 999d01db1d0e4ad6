import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { AuthLayout } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { ResetRequestForm } from './reset-request-form.tsx'

/** /forgot-password and /reset-pass do the same; the specification gives each its own words. */
export const ForgotPasswordPage = () => (
  <ResetRequest
    title="Forgot password"
    intro="It happens. The link in our mail lets you choose a new one."
    label="Send Reset Link"
  >
    <Link to={paths.login}>Sign in</Link>
  </ResetRequest>
)

export const ResetPassPage = () => (
  <ResetRequest
    title="Reset password"
    intro="Tell us your email address, and we send you a link with which to set a new password."
    label="Send"
  >
    <span>
      Remembered it? <Link to={paths.login}>Login</Link>
    </span>
  </ResetRequest>
)

type Props = {
  title: string
  intro: string
  /** What the button says. */
  label: string
  /** The way back to the log-in. */
  children: ReactNode
}

const ResetRequest = ({ title, intro, label, children }: Props) => (
  <AuthLayout title={title} intro={intro} backdrop={<BackdropVideo />}>
    <ResetRequestForm label={label} />
    <p className="auth-layout__line">{children}</p>
  </AuthLayout>
)
