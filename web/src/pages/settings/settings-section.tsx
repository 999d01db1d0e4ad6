import './settings-section.css'
import { type ReactNode, useEffect, useState } from 'react'

/** The address of a section on the page. */
const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

/** One section of the settings: title on the left, controls on the right. */
export function SettingsSection({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = anchorOf(title)
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {text && <p className="settings-section__text">{text}</p>}
      </div>
      <div className="settings-section__body">{children}</div>
    </section>
  )
}

/** Links to the sections that the page shows, by their titles. */
export function SettingsContents() {
  const [titles, setTitles] = useState<string[]>([])
  // Some sections are shown only to those whom they concern.
  useEffect(() => {
    const found = [...document.querySelectorAll('.settings-section h2')].map((heading) => heading.textContent ?? '')
    if (found.join() !== titles.join()) setTitles(found)
  })
  return (
    <nav className="settings-sections" aria-label="Sections">
      <ul className="settings-section__row">
        {titles.map((title) => (
          <li key={title}>
            <a href={`#${anchorOf(title)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
