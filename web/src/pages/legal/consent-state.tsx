import './consent-state.css'
import { withdrawConsent } from '../../consent/banner/save-consent.ts'
import type { Status } from '../../consent/consent.ts'
import { reopenBanner, useConsent } from '../../consent/consent-store.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

const labels: Record<Status, string> = {
  all: 'Allow all cookies (Necessary, Analytics, Marketing)',
  necessary: 'Use necessary cookies only',
  custom: 'Allow selection',
}

/** This browser's consent, with the buttons to change or withdraw it. */
export function ConsentState() {
  const { consent } = useConsent()
  return (
    <section className="consent-state" aria-label="Your consent">
      <dl>
        <div>
          <dt>Your current state</dt>
          <dd>{consent ? describe(consent) : 'No decision yet: only necessary cookies are used'}</dd>
        </div>
        <div>
          <dt>Your consent ID</dt>
          <dd className="tabular">{consent?.id || '–'}</dd>
        </div>
        <div>
          <dt>Consent date</dt>
          <dd>{consent?.date ? <Time at={consent.date} /> : '–'}</dd>
        </div>
      </dl>
      <div className="consent-state__actions">
        <Button variant="secondary" onClick={reopenBanner}>
          Change your consent
        </Button>
        <Button variant="secondary" onClick={withdrawConsent}>
          Withdraw your consent
        </Button>
      </div>
    </section>
  )
}

function describe({
  status,
  preferences: { analytics, marketing },
}: NonNullable<ReturnType<typeof useConsent>['consent']>) {
  if (status !== 'custom') return labels[status]
  const allowed = ['Necessary', analytics && 'Analytics', marketing && 'Marketing'].filter(Boolean)
  return `${labels.custom} (${allowed.join(', ')})`
}
