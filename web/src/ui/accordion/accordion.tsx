import './accordion.css'
import { useId, useState } from 'react'
import { Icon } from '../icon.tsx'
import { RichText } from '../rich-text/rich-text.tsx'

/** `html`: rendered by the server. */
type Entry = { title: string; html: string }

/** At most one entry is open; a click on the open one closes it. */
export function Accordion({ entries }: { entries: Entry[] }) {
  const id = useId()
  const [open, setOpen] = useState<number | null>(null)
  return (
    <div className="accordion">
      {entries.map(({ title, html }, index) => (
        <div key={title} className="accordion__entry">
          <h3>
            <button
              type="button"
              id={`${id}-${index}-title`}
              aria-expanded={open === index}
              aria-controls={`${id}-${index}`}
              onClick={() => setOpen(open === index ? null : index)}
            >
              {title}
              <Icon name="plus" />
            </button>
          </h3>
          <section id={`${id}-${index}`} aria-labelledby={`${id}-${index}-title`} hidden={open !== index}>
            <RichText html={html} />
          </section>
        </div>
      ))}
    </div>
  )
}
