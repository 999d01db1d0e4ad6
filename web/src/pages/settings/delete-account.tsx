import { type ReactNode, useState } from 'react'
import { deleteAccount } from '../../account/use-own-profile.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

type Props = {
  userId: string
  /** Shown in the dialog: what the account still owns. */
  warning: ReactNode
  onDeleted: () => Promise<unknown>
}

export function DeleteAccount({ userId, warning, onDeleted }: Props) {
  const [open, setOpen] = useState(false)
  const [busy, run] = useBusy()

  const remove = () =>
    run(async () => {
      const outcome = await deleteAccount(userId)
      setOpen(false)
      if (!outcome.ok) return toast.error('Failed to delete account')
      toast.success('Account deleted successfully')
      await onDeleted()
    })

  return (
    <SettingsSection
      title="Delete account"
      text="Your personal data is deleted. Records of past sales that the law requires us to keep stay, without your name."
    >
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog open={open} title="Delete account" onClose={() => setOpen(false)}>
        <p>Are you sure you want to delete your account? This action is irreversible.</p>
        {warning}
        <div className="dialog__actions">
          <Button variant="danger" busy={busy} busyLabel="Deleting..." onClick={() => void remove()}>
            Yes, delete it
          </Button>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}
