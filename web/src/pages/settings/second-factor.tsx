import { useState } from 'react'
import {
  removeSecondFactor,
  replaceRecoveryCodes,
  startTotp,
  useSecondFactor,
} from '../../account/use-second-factor.ts'
import type { ApiError } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Codes of an authenticator app beside the password: set up, recovery codes, turn off. */
export function SecondFactor() {
  const { data, error, mutate } = useSecondFactor()
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<string[]>()
  const [leaving, setLeaving] = useState(false)
  const [busy, run] = useBusy()

  const refuse = ({ code, message }: ApiError) => {
    // The owner closed the step-up dialog.
    if (code !== 'step_up_required') toast.error(message)
  }
  const start = () =>
    run(async () => {
      const outcome = await startTotp()
      if (outcome.ok) setSetup(outcome.data)
      else refuse(outcome.error)
    })
  const replace = () =>
    run(async () => {
      const outcome = await replaceRecoveryCodes()
      if (!outcome.ok) return refuse(outcome.error)
      setCodes(outcome.data.recoveryCodes)
      await mutate()
    })
  const remove = () =>
    run(async () => {
      setLeaving(false)
      const outcome = await removeSecondFactor()
      if (!outcome.ok) return refuse(outcome.error)
      toast.success('Second factor turned off')
      setCodes(undefined)
      await mutate()
    })
  const confirmed = async (recoveryCodes: string[]) => {
    setSetup(undefined)
    setCodes(recoveryCodes)
    toast.success('Second factor turned on')
    await mutate()
  }

  return (
    <SettingsSection
      title="Second factor"
      text="A code of an app on your phone, asked for at each log-in. Who knows your password alone does not get in."
    >
      {error && <p>The state could not be loaded. Please try again in a moment.</p>}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {setup && <SecondFactorSetup {...setup} onConfirmed={confirmed} onCancel={() => setSetup(undefined)} />}
      {data && !data.onSince && !setup && (
        <>
          <p>Off: logging in needs your password only.</p>
          <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void start()}>
            Set up an authenticator app
          </Button>
        </>
      )}
      {data?.onSince && !codes && (
        <>
          <p>
            On since <Time at={data.onSince} />. {data.recoveryCodesLeft}{' '}
            {data.recoveryCodesLeft === 1 ? 'recovery code is' : 'recovery codes are'} left.
          </p>
          <div className="settings-section__row">
            <Button variant="secondary" busy={busy} onClick={() => void replace()}>
              New recovery codes
            </Button>
            <Button variant="secondary" onClick={() => setLeaving(true)}>
              Turn off
            </Button>
          </div>
        </>
      )}
      <Dialog open={leaving} title="Turn the second factor off?" onClose={() => setLeaving(false)}>
        <p>Logging in then needs your password only, and your recovery codes end.</p>
        <div className="dialog__actions">
          <Button variant="danger" onClick={() => void remove()}>
            Yes, turn it off
          </Button>
          <Button variant="secondary" onClick={() => setLeaving(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </SettingsSection>
  )
}
