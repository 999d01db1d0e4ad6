import { Suspense } from 'react'
import { confirmTotp } from '../../account/use-second-factor.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Skeleton } from '../../ui/state.tsx'

const QrCode = lazyComponent(() => import('../../qr-code/qr-code.tsx'), 'QrCode')

type Props = {
  secret: string
  uri: string
  onConfirmed: (recoveryCodes: string[]) => Promise<unknown>
  onCancel: () => void
}

/** The secret as a QR code and as text, and the field for the first code of the app. */
export function SecondFactorSetup({ secret, uri, onConfirmed, onCancel }: Props) {
  const { busy, onSubmit, fields } = useForm(async ({ text }) => {
    const outcome = await confirmTotp(text('code'))
    if (!outcome.ok) return { fields: { code: outcome.error.message } }
    await onConfirmed(outcome.data.recoveryCodes)
    return undefined
  })

  return (
    <form onSubmit={onSubmit}>
      <h3 tabIndex={-1}>Set up an authenticator app</h3>
      <p>Scan this with your authenticator app, or type the key into it. Then enter the six digits that it shows.</p>
      {/* Without it the key is typed. */}
      <ErrorBoundary at={uri} fallback={null}>
        <Suspense fallback={<Skeleton className="qr-code" />}>
          <QrCode text={uri} label="QR code for your authenticator app" />
        </Suspense>
      </ErrorBoundary>
      <p className="settings-section__wallet tabular">
        {secret.match(/.{1,4}/g)?.join(' ')} <CopyButton text={secret} label="Copy key" />
      </p>
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
        error={fields.code}
      />
      <div className="settings-section__row">
        <Button type="submit" variant="secondary" busy={busy} busyLabel="One moment...">
          Turn on
        </Button>
        <Button variant="text" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
