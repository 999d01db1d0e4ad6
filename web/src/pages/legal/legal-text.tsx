import './legal-text.css'
import type { ReactNode } from 'react'

export type Section = { id: string; title: string; body: ReactNode }

/** A long text: table of contents on the left, sections on the right. */
export function LegalText({ intro, sections }: { intro?: ReactNode; sections: Section[] }) {
  return (
    <div className="legal wrap">
      <nav className="legal__contents" aria-label="Contents">
        <ol>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal__text">
        {intro}
        {sections.map(({ id, title, body }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            {body}
          </section>
        ))}
      </div>
    </div>
  )
}
