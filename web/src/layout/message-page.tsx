import './message-page.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  text?: ReactNode
  /** The decorative empty frame above the title. */
  frame?: boolean
  children?: ReactNode
}

/** A page with a single message: thanks, errors, goodbye, not found. */
export function MessagePage({ title, text, frame = true, children }: Props) {
  return (
    <section className="message-page wrap">
      {frame && <span className="message-page__frame" />}
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className="message-page__text">{text}</p>}
      <div className="message-page__actions">{children}</div>
    </section>
  )
}
