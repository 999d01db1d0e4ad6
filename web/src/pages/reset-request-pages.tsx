import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ResetRequestForm } from '../account/reset-request-form.tsx'
import { AuthStage } from '../frame/auth-stage.tsx'
import { BackdropVideo } from '../frame/backdrop-video.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { paths } from '../paths.ts'

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
  <AuthStage title={title} intro={intro} backdrop={<BackdropVideo />}>
    <PageTitle>{title}</PageTitle>
    <ResetRequestForm label={label} />
    <p className="auth-stage__line">{children}</p>
  </AuthStage>
)
