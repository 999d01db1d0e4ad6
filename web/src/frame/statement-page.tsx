import './statement-page.css'
import type { ReactNode } from 'react'

/** A page that says one thing: thanks, errors, goodbyes. */
export function StatementPage({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <section className="statement wrap">
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className="statement__text">{text}</p>}
      <div className="statement__next">{children}</div>
    </section>
  )
}
