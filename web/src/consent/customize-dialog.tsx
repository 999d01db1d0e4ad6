import './customize-dialog.css'
import type { FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/forms/field.tsx'
import { saveConsent } from './banner/save-consent.ts'
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

type Props = { open: boolean; onClose: () => void; onSaved: () => void }

export function CustomizeDialog({ open, onClose, onSaved }: Props) {
  const { consent } = useConsent()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    saveConsent('custom', { analytics: form.has('analytics'), marketing: form.has('marketing') })
    onSaved()
  }

  return (
    <Dialog open={open} title="Cookie Preferences" onClose={onClose}>
      <form className="customize" onSubmit={save}>
        <div>
          <Checkbox label="Necessary" name="necessary" checked disabled readOnly aria-describedby="purpose-necessary" />
          <p className="customize__text" id="purpose-necessary">
            Stores your choice. Without it we would have to ask on every page.
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
            variant="secondary"
            onClick={() => {
              saveConsent('necessary')
              onSaved()
            }}
          >
            Reject All
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
