import { type ReactNode, useState } from 'react'
import { deleteAccount } from '../../account/use-own-profile.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

type Props = {
  userId: string
  /** What would stay behind, said before the question. */
  remains: ReactNode
  onDeleted: () => Promise<unknown>
}

export function DeleteAccount({ userId, remains, onDeleted }: Props) {
  const [asking, setAsking] = useState(false)
  const [busy, run] = useBusy()

  const remove = () =>
    run(async () => {
      const outcome = await deleteAccount(userId)
      setAsking(false)
      if (!outcome.ok) return toast.error('Failed to delete account')
      toast.success('Account deleted successfully')
      await onDeleted()
    })

  return (
    <SettingsSection
      title="Delete account"
      text="Your personal data goes. What the law makes us keep of past sales stays in the books, without your name."
    >
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      <Dialog open={asking} title="Delete account" onClose={() => setAsking(false)}>
        <p>Are you sure you want to delete your account? This action is irreversible.</p>
        {remains}
        <div className="dialog__actions">
          <Button look="danger" busy={busy} busyLabel="Deleting..." onClick={() => void remove()}>
            Yes, delete it
          </Button>
          <Button look="plain" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}
