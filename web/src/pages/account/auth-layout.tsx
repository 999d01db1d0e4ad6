import './auth-layout.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  intro?: ReactNode
  /** Shown over the still image. */
  backdrop?: ReactNode
  children: ReactNode
}

/** The layout of log-in, sign-up, password reset and lock screen: a form beside a large image. */
export function AuthLayout({ title, intro, backdrop, children }: Props) {
  return (
    <div className="auth-layout">
      <div className="auth-layout__backdrop">
        <img src="/backdrop.svg" alt="" width="1200" height="1500" />
        {backdrop}
      </div>
      <div className="auth-layout__form">
        <h1 tabIndex={-1}>{title}</h1>
        {intro && <p className="auth-layout__intro">{intro}</p>}
        {children}
      </div>
    </div>
  )
}

type MessageProps = { message: string | undefined; ok?: boolean }

/** The message of the whole form: an error, or with `ok` a success. */
export const FormMessage = ({ message, ok = false }: MessageProps) =>
  message ? (
    <p className="auth-layout__message" data-ok={ok} role={ok ? 'status' : 'alert'}>
      {message}
    </p>
  ) : null
