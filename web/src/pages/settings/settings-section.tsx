import './settings-section.css'
import { type ReactNode, useId } from 'react'

/** One section of the settings: title on the left, controls on the right. */
export function SettingsSection({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className="settings-section__text">{text}</p>}
      </div>
      <div className="settings-section__body">{children}</div>
    </section>
  )
}
