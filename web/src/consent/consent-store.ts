import { useSyncExternalStore } from 'react'
import { type Consent, readConsent } from './consent.ts'

type State = {
  /** Null until the visitor has chosen. */
  consent: Consent | null
  /** The visitor reopened the banner after an earlier choice. */
  reopened: boolean
}

const listeners = new Set<() => void>()
let state: State = { consent: readConsent(document.cookie), reopened: false }

export function change(next: Partial<State>) {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const getConsent = () => state.consent
export const useConsent = () => useSyncExternalStore(subscribe, () => state)

export const reopenBanner = () => change({ reopened: true })
export const closeBanner = () => change({ reopened: false })
