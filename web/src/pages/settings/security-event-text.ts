import { COUNTED_ATTEMPTS } from '@nifty/api/attempts'

/**
 * Kinds of security events that auth records of an account: those of `auditedEndpoints`, and those that only its
 * handlers record.
 */
const texts: Record<string, string> = {
  sign_up: 'Sign-up',
  log_in: 'Log-in',
  log_out: 'Log-out',
  session_ended: 'Another session logged out',
  sessions_ended: 'All other sessions logged out',
  step_up: 'Confirmation that it is you',
  email_confirmed: 'E-mail address confirmed',
  reset_requested: 'Password reset requested',
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
  account_frozen: 'Account frozen',
  account_deleted: 'Account deleted',
  data_exported: 'Your data downloaded',
  access_denied: 'Another request',
  operator: 'Changed by the store',
}

/** The text of a kind whose outcome is no success, where the one of a success would be wrong. */
const attempts: Record<string, string> = { account_deleted: 'Attempt to delete the account' }

/** A request without a step-up is no attack: the page opens the dialog and repeats the request. */
const suffixOf = (outcome: string) => {
  if (outcome === 'ok') return ''
  return outcome === 'step_up_required' ? ' (confirmation asked for)' : ' (refused)'
}

export function securityEventText({ kind, outcome }: { kind: string; outcome: string }) {
  const done = texts[kind] ?? kind.replaceAll('_', ' ')
  return `${outcome === 'ok' ? done : (attempts[kind] ?? done)}${suffixOf(outcome)}`
}

/** Follows the event's text: how often, and from where. */
export function originText({ address, count }: { address: string; count: number }) {
  const from = address && ` from ${address}`
  if (count === 1) return from
  const times = ` ${count.toLocaleString('en-GB')} times${count < COUNTED_ATTEMPTS ? '' : ' or more'}`
  return `${times}${from && `, the last${from}`}`
}
