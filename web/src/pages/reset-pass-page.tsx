import { Link } from 'react-router-dom'
import { ResetRequestForm } from '../account/reset-request-form.tsx'
import { AuthStage } from '../frame/auth-stage.tsx'
import { BackdropVideo } from '../frame/backdrop-video.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { paths } from '../paths.ts'

export function ResetPassPage() {
  return (
    <AuthStage
      title="Reset password"
      intro="Tell us your email address, and we send you a link with which to set a new password."
      backdrop={<BackdropVideo />}
    >
      <PageTitle>Reset password</PageTitle>
      <ResetRequestForm label="Send" />
      <p className="auth-stage__line">
        <span>
          Remembered it? <Link to={paths.login}>Login</Link>
        </span>
      </p>
    </AuthStage>
  )
}
