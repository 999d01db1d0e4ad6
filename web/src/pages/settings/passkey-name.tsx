import type { Passkey } from '@nifty/api/auth/passkeys'
import { renamePasskey } from '../../account/use-passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { toast } from '../../ui/toast.tsx'

type Props = { passkey: Passkey; onClose: () => void; onRenamed: () => void }

/** The dialog that renames a passkey. */
export function PasskeyName({ passkey: { _id, name }, onClose, onRenamed }: Props) {
  const { busy, onSubmit, fields } = useForm(async ({ text }) => {
    const outcome = await renamePasskey(_id, text('name'))
    if (!outcome.ok) return { fields: { name: outcome.error.message } }
    toast.success('Passkey renamed')
    onRenamed()
    return undefined
  })
  return (
    <Dialog open title="Rename this passkey" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <Field label="New name" name="name" defaultValue={name} maxLength={60} required error={fields.name} />
        <div className="dialog__actions">
          <Button type="submit" busy={busy} busyLabel="Saving...">
            Save
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
