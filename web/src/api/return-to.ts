import type { Nft } from '@nifty/api/catalog/public'
import type { DeliverTo } from '@nifty/api/payments/public'
import { getSession, stored } from './session.ts'

export const returnKey = 'return_to'
/** The accepted terms, for this tab only: nobody who opens another one has accepted them. */
export const termsKey = 'accepted_terms'
/** Milliseconds after which a page is forgotten. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** What a buyer has decided on the page of a work. */
export type Choices = {
  /** The version of the terms that were accepted. */
  terms?: string | undefined
  deliverTo: DeliverTo
}

type WorkPreview = Pick<Nft, '_id' | 'name' | 'image' | 'display_image_url' | 'width' | 'height' | 'color'>

/** A page that a log-in, the lock screen or the payment page has interrupted. */
export type ReturnTo = {
  /** With its query. */
  path: string
  title: string
  work?: WorkPreview
  choices?: Choices
}

export type AcceptedTerms = { path: string; terms: string }

/** `userId`: the last account of this browser at that time, or null. `at`: milliseconds since 1970. */
export type KeptReturn = ReturnTo & { userId: string | null; at: number }

/** Keeps the page in this browser for a day, and accepted terms in this tab: `ReturnCard` leads back to it. */
export function rememberReturn({ choices, ...to }: ReturnTo) {
  const kept: KeptReturn = { ...to, userId: getSession().userId, at: Date.now() }
  if (choices) kept.choices = { deliverTo: choices.deliverTo }
  write(() => localStorage, returnKey, kept)
  const terms = choices?.terms
  write(() => sessionStorage, termsKey, terms === undefined ? null : { path: to.path, terms })
}

/** After a log-out, or when the page has been reached. */
export function forgetReturn() {
  write(() => localStorage, returnKey, null)
  write(() => sessionStorage, termsKey, null)
}

/** The page to lead back to. Never that of another account, and nothing that this release has not written. */
export function readReturn(): ReturnTo | undefined {
  try {
    const kept = JSON.parse(stored(returnKey) ?? '') as KeptReturn
    const isRecent = Date.now() - kept.at < KEPT_MS
    const isOwn = kept.userId === null || kept.userId === getSession().userId
    if (!isRecent || !isOwn || !kept.title || !/^\/\w/.test(kept.path)) return undefined
    if (kept.choices) kept.choices.terms = termsAcceptedOn(kept.path)
    return kept
  } catch {
    // Nothing is kept.
  }
  return undefined
}

function termsAcceptedOn(path: string): string | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(termsKey) ?? '') as AcceptedTerms
    return kept.path === path ? kept.terms : undefined
  } catch {
    // Nothing is kept.
    return undefined
  }
}

/** `storage` throws where it is forbidden. */
function write(storage: () => Storage, name: string, value: KeptReturn | AcceptedTerms | null) {
  try {
    if (value === null) storage().removeItem(name)
    else storage().setItem(name, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}
