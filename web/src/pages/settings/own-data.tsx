import { exportOwnData } from '../../account/own-data.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

/** One file with what the store has about the account. */
export function OwnData() {
  const [busy, run] = useBusy()

  const download = () =>
    run(async () => {
      try {
        saveFile('account-data.json', await exportOwnData(), 'application/json')
        toast.success('Your data was downloaded')
      } catch {
        toast.error('Your data could not be put together. Nothing was downloaded; please try again in a moment.')
      }
    })

  return (
    <SettingsSection
      title="Your data"
      text="One file (JSON) with what we store about you: account, sessions, security events, works, orders, payouts and mails."
    >
      <Button variant="secondary" busy={busy} busyLabel="Collecting..." onClick={() => void download()}>
        Download your data
      </Button>
    </SettingsSection>
  )
}
