import { listOwnSecurityEvents } from '@nifty/api/auth/public'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { Time } from '../../ui/time.tsx'
import { originText, securityEventText } from './security-event-text.ts'
import { SettingsSection } from './settings-section.tsx'

/** What happened to the account: log-ins, also refused ones, and changes. */
export function SecurityEvents() {
  const { data, error } = useEndpoint(listOwnSecurityEvents, {})
  return (
    <SettingsSection title="Security events" text="Something here was not you? Change your password.">
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
