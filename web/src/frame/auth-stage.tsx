import './auth-stage.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  intro?: ReactNode /** The still picture, or what moves over it. */
  backdrop?: ReactNode
  children: ReactNode
}

/** Log-in, sign-up, reset and lock screen: a form on a quiet wall beside a large work. */
export function AuthStage({ title, intro, backdrop, children }: Props) {
  return (
    <div className="auth-stage">
      <div className="auth-stage__backdrop">
        <img src="/backdrop.svg" alt="" width="1200" height="1500" />
        {backdrop}
      </div>
      <div className="auth-stage__form">
        <h1 tabIndex={-1}>{title}</h1>
        {intro && <p className="auth-stage__intro">{intro}</p>}
        {children}
      </div>
    </div>
  )
}
