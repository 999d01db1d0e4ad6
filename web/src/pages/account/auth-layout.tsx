import './auth-layout.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  intro?: ReactNode /** The still picture, or what moves over it. */
  backdrop?: ReactNode
  children: ReactNode
}

/** Log-in, sign-up, reset and lock screen: a form on a quiet wall beside a large work. */
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
