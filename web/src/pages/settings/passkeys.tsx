import type { Passkey } from '@nifty/api/auth/passkeys'
import { useState } from 'react'
import { addPasskey, removePasskey, usePasskeys } from '../../account/use-passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Spinner } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { PasskeyName } from './passkey-name.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Passkeys of the account: add, rename, remove. */
export function Passkeys() {
  const { data, error, mutate } = usePasskeys()
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  const [removing, run] = useBusy()
  const { busy, onSubmit, fields } = useForm(async ({ text, form }) => {
    const problem = await addPasskey(text('name'))
    if (problem !== undefined) return { fields: { name: problem } }
    form.reset()
    toast.success('Passkey added')
    await mutate()
    return undefined
  })

  const remove = (id: string) =>
    run(async () => {
      setRemoved(undefined)
      const outcome = await removePasskey(id)
      if (!outcome.ok) return toast.error(outcome.error.message)
      toast.success('Passkey removed')
      await mutate()
    })

  const isSupported = typeof PublicKeyCredential !== 'undefined'
  return (
    <SettingsSection
      title="Passkeys"
      text="Log in with the fingerprint, face or PIN of your device, without password and code."
    >
      {!data && !error && <Spinner />}
      {!data && error && <p>Your passkeys could not be loaded. Please try again in a moment.</p>}
      <ul className="settings-section__list" aria-label="Passkeys">
        {data?.passkeys.map((passkey) => (
          <li key={passkey._id} className="settings-section__entry">
            <div>
              <strong dir="auto">{passkey.name}</strong>
              <br />
              <small>
                Added <Time at={passkey.createdAt} />
                {passkey.lastUsedAt ? (
                  <>
                    , last used <Time at={passkey.lastUsedAt} />
                  </>
                ) : (
                  ', not used yet'
                )}
              </small>
            </div>
            <div className="settings-section__row">
              <Button variant="secondary" onClick={() => setRenamed(passkey)}>
                Rename<span className="visually-hidden"> {passkey.name}</span>
              </Button>
              <Button variant="secondary" busy={removing} onClick={() => setRemoved(passkey)}>
                Remove<span className="visually-hidden"> {passkey.name}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {data?.passkeys.length === 0 && <p>Your account has no passkey.</p>}
      {isSupported ? (
        <form onSubmit={onSubmit}>
          <Field
            label="Name of the new passkey"
            name="name"
            hint="For instance the device that keeps it."
            maxLength={60}
            required
            error={fields.name}
          />
          <Button type="submit" variant="secondary" busy={busy} busyLabel="One moment...">
            Add a passkey
          </Button>
        </form>
      ) : (
        <p>This browser does not support passkeys.</p>
      )}
      {renamed && (
        <PasskeyName
          passkey={renamed}
          onClose={() => setRenamed(undefined)}
          onRenamed={() => {
            setRenamed(undefined)
            void mutate()
          }}
        />
      )}
      <Dialog open={removed !== undefined} title="Remove this passkey?" onClose={() => setRemoved(undefined)}>
        <p>“{removed?.name}” no longer logs in to your account.</p>
        <div className="dialog__actions">
          <Button variant="danger" onClick={() => void (removed && remove(removed._id))}>
            Yes, remove it
          </Button>
          <Button variant="secondary" onClick={() => setRemoved(undefined)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}
