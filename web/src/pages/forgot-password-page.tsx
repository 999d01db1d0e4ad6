import { Link } from 'react-router-dom'
import { ResetRequestForm } from '../account/reset-request-form.tsx'
import { AuthStage } from '../frame/auth-stage.tsx'
import { BackdropVideo } from '../frame/backdrop-video.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { paths } from '../paths.ts'

export function ForgotPasswordPage() {
  return (
    <AuthStage
      title="Forgot password"
      intro="It happens. The link in our mail lets you choose a new one."
      backdrop={<BackdropVideo />}
    >
      <PageTitle>Forgot password</PageTitle>
      <ResetRequestForm label="Send Reset Link" />
      <p className="auth-stage__line">
        <Link to={paths.login}>Sign in</Link>
      </p>
    </AuthStage>
  )
}
