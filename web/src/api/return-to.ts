import type { Nft } from '@nifty/api/catalog/public'
import type { DeliverTo } from '@nifty/api/payments/public'
import { getSession, stored } from './session.ts'

const key = 'return_to'
/** Milliseconds after which a visitor no longer means what they looked at. */
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

/** For browsers that forbid the storage: until the page is left. */
let inMemory: string | null = null

/** Keeps the page in this browser for a day: `ReturnCard` leads back to it. */
export function rememberReturn({ path, title, work, choices }: ReturnTo) {
  const { userId } = getSession()
  write(
    JSON.stringify({ path, title, work: work && previewOf(work), choices, userId, at: Date.now() } satisfies Stored),
  )
}

/** After a log-out, or when the page has been reached. */
export const forgetReturn = () => write(null)

/** The page to lead back to. Never that of another account. */
export function readReturn(): ReturnTo | undefined {
  const kept = parse(stored(key) ?? inMemory)
  if (!kept || Date.now() - kept.at > KEPT_MS) return undefined
  return kept.userId === null || kept.userId === getSession().userId ? kept : undefined
}

function write(text: string | null) {
  inMemory = text
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage is forbidden or full: in memory only.
  }
}

/** Undefined for what this release has not written. */
function parse(text: string | null): Stored | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Stored> | null
    const isOwnPath = typeof kept?.path === 'string' && /^\/(?![/\\])/.test(kept.path)
    return isOwnPath && typeof kept.title === 'string' && typeof kept.at === 'number' ? (kept as Stored) : undefined
  } catch {
    return undefined
  }
}

/** Without the fields of a whole item. */
const previewOf = ({ _id, name, image, display_image_url, width, height, color }: WorkPreview): WorkPreview => ({
  _id,
  name,
  image,
  display_image_url,
  width,
  height,
  color,
})
