import type { ReactNode } from 'react'
import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { BackdropVideo } from './backdrop-video.tsx'
import { ResetRequestForm } from './reset-request-form.tsx'

/** /forgot-password and /reset-pass do the same; the specification gives each its own texts. */
export const ForgotPasswordPage = () => (
  <ResetRequest
    title="Forgot password"
    intro="Enter your email address and we will send you a link to choose a new password."
    label="Send Reset Link"
  >
    <Link to={paths.login}>Sign in</Link>
  </ResetRequest>
)

export const ResetPassPage = () => (
  <ResetRequest
    title="Reset password"
    intro="Enter your email address and we will send you a link to set a new password."
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
  /** The button's text. */
  label: string
  /** The link back to the log-in. */
  children: ReactNode
}

const ResetRequest = ({ title, intro, label, children }: Props) => (
  <AuthLayout title={title} intro={intro} backdrop={<BackdropVideo />}>
    <ResetRequestForm label={label} />
    <p className="auth-layout__line">{children}</p>
  </AuthLayout>
)
