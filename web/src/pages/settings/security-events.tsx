import { listOwnSecurityEvents } from '@nifty/api/auth/public'
import { Time } from '../../ui/time.tsx'
import { useEndpoint } from '../../use-endpoint.ts'
import { SettingsSection } from './settings-section.tsx'

const texts: Record<string, string> = {
  log_in: 'Log-in',
  log_out: 'Log-out',
  session_ended: 'Another session logged out',
  sessions_ended: 'All other sessions logged out',
  email_confirmed: 'E-mail address confirmed',
  password_reset: 'Password reset by e-mail',
  password_changed: 'Password changed',
  profile_changed: 'Details changed',
  wallet_changed: 'Wallet linked',
  second_factor_required: 'Right password, second factor asked for',
  second_factor_on: 'Second factor turned on',
  second_factor_off: 'Second factor turned off',
  recovery_codes_replaced: 'New recovery codes',
  passkey_added: 'Passkey added',
  passkey_renamed: 'Passkey renamed',
  passkey_removed: 'Passkey removed',
  data_exported: 'Your data downloaded',
}

/** What happened to the account: log-ins, also refused ones, and changes. */
export function SecurityEvents() {
  const { data, error } = useEndpoint(listOwnSecurityEvents, {})
  return (
    <SettingsSection title="Security events" text="Something here was not you? Change your password.">
      {error && <p>The events could not be loaded. Please try again in a moment.</p>}
      {data?.events.length === 0 && <p>Nothing yet.</p>}
      <ul className="settings-section__list">
        {data?.events.map(({ at, kind, outcome, address, thisSession }) => (
          <li key={`${at} ${kind}`}>
            {texts[kind] ?? kind.replaceAll('_', ' ')}
            {outcome !== 'ok' && ' (refused)'} from {address}
            {thisSession && ', this session'}
            <br />
            <Time at={at} />
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}
