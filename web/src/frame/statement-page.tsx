import './statement-page.css'
import type { ReactNode } from 'react'

type Props = {
  title: string
  text?: ReactNode
  /** Something hangs below the words already: no empty frame above them. */
  hung?: boolean
  children?: ReactNode
}

/** A page that says one thing: thanks, errors, goodbyes, and what is not there. */
export function StatementPage({ title, text, hung = false, children }: Props) {
  return (
    <section className="statement wrap">
      {!hung && <span className="statement__frame" />}
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className="statement__text">{text}</p>}
      <div className="statement__next">{children}</div>
    </section>
  )
}
