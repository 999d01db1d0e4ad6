import { listOwnSecurityEvents } from '@nifty/api/auth/public'
import { useState } from 'react'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { originText, securityEventText } from './security-event-text.ts'
import { SettingsSection } from './settings-section.tsx'

/** Reading them again by itself would ask for the password again. */
const onceOnly = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false }

/** What happened to the account: log-ins, also refused ones, and changes. */
export function SecurityEvents() {
  const [shown, setShown] = useState(false)
  const { data, error, isLoading } = useEndpoint(listOwnSecurityEvents, shown ? {} : null, onceOnly)
  return (
    <SettingsSection title="Security events" text="Something here was not you? Change your password.">
      {!data && (
        <Button variant="secondary" busy={isLoading} busyLabel="One moment..." onClick={() => setShown(true)}>
          Show security events
        </Button>
      )}
      {error && <p>The events could not be loaded. Please try again in a moment.</p>}
      {data?.events.length === 0 && <p>Nothing yet.</p>}
      <ul className="settings-section__list">
        {data?.events.map(({ at, kind, outcome, address, thisSession, count }) => (
          <li key={`${at} ${kind}`}>
            {securityEventText({ kind, outcome })}
            {originText({ address, count })}
            {thisSession && ', this session'}
            <br />
            <Time at={at} />
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}
