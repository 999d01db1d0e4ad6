import './message-page.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  text?: ReactNode
  /** The decorative empty frame above the title. */
  frame?: boolean
  children?: ReactNode
}

/** A page that says one thing: thanks, errors, goodbyes, and what is not there. */
export function MessagePage({ title, text, frame = true, children }: Props) {
  return (
    <section className="message-page wrap">
      {frame && <span className="message-page__frame" />}
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className="message-page__text">{text}</p>}
      <div className="message-page__next">{children}</div>
    </section>
  )
}
