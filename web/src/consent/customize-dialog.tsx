import './customize-dialog.css'
import type { FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/forms/field.tsx'
import { choose } from './banner/save-consent.ts'
import { useConsent } from './consent-store.ts'

const purposes = [
  {
    name: 'analytics',
    label: 'Analytics',
    text: 'Statistics about how the store is used, collected by an analytics provider.',
  },
  {
    name: 'marketing',
    label: 'Marketing',
    text: 'Content of third parties, such as the video beside the log-in.',
  },
] as const

type Props = { open: boolean; onClose: () => void; onChosen: () => void }

export function CustomizeDialog({ open, onClose, onChosen }: Props) {
  const { consent } = useConsent()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    choose('custom', { analytics: form.has('analytics'), marketing: form.has('marketing') })
    onChosen()
  }

  return (
    <Dialog open={open} title="Cookie Preferences" onClose={onClose}>
      <form className="customize" onSubmit={save}>
        <div>
          <Checkbox label="Necessary" name="necessary" checked disabled readOnly aria-describedby="purpose-necessary" />
          <p className="customize__text" id="purpose-necessary">
            Remembers what you decide here. Without it we would have to ask on every page.
          </p>
        </div>
        {purposes.map(({ name, label, text }) => (
          <div key={name}>
            <Checkbox
              label={label}
              name={name}
              defaultChecked={consent?.preferences[name] ?? false}
              aria-describedby={`purpose-${name}`}
            />
            <p className="customize__text" id={`purpose-${name}`}>
              {text}
            </p>
          </div>
        ))}
        <div className="dialog__actions">
          <Button type="submit">Save preferences</Button>
          <Button
            look="plain"
            onClick={() => {
              choose('necessary')
              onChosen()
            }}
          >
            Reject All
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
