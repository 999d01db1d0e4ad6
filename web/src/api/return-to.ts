import type { Nft } from '@nifty/api/catalog/public'
import type { DeliverTo } from '@nifty/api/payments/public'
import { getSession, stored } from './session.ts'

const key = 'return_to'
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

/** `userId`: the last account of this browser at that time, or null. `at`: milliseconds since 1970. */
type Stored = ReturnTo & { userId: string | null; at: number }

/** Keeps the page in this browser for a day: `ReturnCard` leads back to it. */
export const rememberReturn = (to: ReturnTo) =>
  write(JSON.stringify({ ...to, userId: getSession().userId, at: Date.now() } satisfies Stored))

/** After a log-out, or when the page has been reached. */
export const forgetReturn = () => write(null)

/** The page to lead back to. Never that of another account, and nothing that this release has not written. */
export function readReturn(): ReturnTo | undefined {
  try {
    const kept = JSON.parse(stored(key) ?? '') as Stored
    const isRecent = Date.now() - kept.at < KEPT_MS
    const isOwn = kept.userId === null || kept.userId === getSession().userId
    if (isRecent && isOwn && kept.title && /^\/\w/.test(kept.path)) return kept
  } catch {
    // Nothing is kept.
  }
  return undefined
}

function write(text: string | null) {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}
