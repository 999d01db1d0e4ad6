import { useSyncExternalStore } from 'react'
import { type Consent, readConsent } from './consent.ts'

type State = {
  /** Null until the visitor chose. */
  consent: Consent | null
  /** They chose before and want to choose again. */
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

export const reopen = () => change({ reopened: true })
export const closeAgain = () => change({ reopened: false })
