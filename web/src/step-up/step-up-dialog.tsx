import './step-up-dialog.css'
import { useState } from 'react'
import { useCurrentUser } from '../account/use-current-user.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/forms/field.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { Notice } from '../ui/state.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useWallets } from '../wallet/use-wallets.ts'
import { stepUpByPasskey, stepUpByPassword, stepUpByWallet, useStepUpMethods } from './use-step-up.ts'

/**
 * Asks the owner for the password, with a code where there is a second factor, for a passkey, or for a signature of the
 * linked wallet. Closing it gives up the request.
 */
export function StepUpDialog({ onAnswer }: { onAnswer: (confirmed: boolean) => void }) {
  const { user } = useCurrentUser()
  const wallets = useWallets()
  const { needsCode, canSign, hasPasskey } = useStepUpMethods()
  const [signing, run] = useBusy()
  const [problem, setProblem] = useState('')
  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    setProblem('')
    const refused = await stepUpByPassword(text('password'), needsCode ? text('code') : undefined)
    if (refused === undefined) onAnswer(true)
    return refused === undefined ? undefined : { message: refused }
  })

  const attempt = (prove: () => ReturnType<typeof stepUpByPasskey>) =>
    run(async () => {
      const refused = await prove()
      if (refused === undefined) onAnswer(true)
      setProblem(refused ?? '')
    })

  const refusal = problem || message
  return (
    <Dialog open title="Is it you?" onClose={() => onAnswer(false)}>
      <p>
        This concerns what your account owns, so being logged in is not enough. We ask once in ten minutes, and again
        when this page is reloaded.
      </p>
      <form onSubmit={onSubmit} className="step-up">
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        {needsCode && (
          <Field
            label="Code of your second factor"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="off"
            maxLength={64}
            required
          />
        )}
        {refusal && <Notice kind="error">{refusal}</Notice>}
        <div className="dialog__actions">
          <Button type="submit" busy={busy} busyLabel="One moment...">
            Confirm
          </Button>
          {hasPasskey && typeof PublicKeyCredential !== 'undefined' && (
            <Button
              variant="secondary"
              busy={signing}
              busyLabel="One moment..."
              onClick={() => void attempt(stepUpByPasskey)}
            >
              Use your passkey
            </Button>
          )}
          {canSign && wallets.length > 0 && (
            <Button
              variant="secondary"
              busy={signing}
              busyLabel="Signing..."
              onClick={() => void attempt(() => stepUpByWallet(wallets))}
            >
              Sign with your wallet
            </Button>
          )}
          <Button variant="secondary" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
