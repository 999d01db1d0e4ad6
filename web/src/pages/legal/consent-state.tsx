import './consent-state.css'
import { withdraw } from '../../consent/banner/save-consent.ts'
import type { Status } from '../../consent/consent.ts'
import { reopen, useConsent } from '../../consent/consent-store.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

const words: Record<Status, string> = {
  all: 'Allow all cookies (Necessary, Analytics, Marketing)',
  necessary: 'Use necessary cookies only',
  custom: 'Allow selection',
}

/** What this browser allowed, and the two ways to change one's mind. */
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
        <Button look="plain" onClick={reopen}>
          Change your consent
        </Button>
        <Button look="plain" onClick={withdraw}>
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
  if (status !== 'custom') return words[status]
  const allowed = ['Necessary', analytics && 'Analytics', marketing && 'Marketing'].filter(Boolean)
  return `${words.custom} (${allowed.join(', ')})`
}
