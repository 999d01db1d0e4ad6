import { getSession } from '../api/session.ts'

const draftsKey = 'gift_drafts'

/** Whom the buyer enters a purchase for. */
export type GiftDraft = { email: string; text: string }

/** By id of the work. `userId`: of the account that entered them. */
type Kept = { userId: string | null; drafts: Record<string, GiftDraft> }

/** Never those of another account. */
function readDrafts(): Kept['drafts'] {
  try {
    const { userId, drafts } = JSON.parse(sessionStorage.getItem(draftsKey) ?? '') as Kept
    return userId === getSession().userId ? drafts : {}
  } catch {
    // Nothing is kept.
    return {}
  }
}

export const readGiftDraft = (itemId: string): GiftDraft | null => readDrafts()[itemId] ?? null

/** Keeps what was entered for this work in this tab; null forgets it. */
export function keepGiftDraft(itemId: string, draft: GiftDraft | null) {
  const { [itemId]: _former, ...others } = readDrafts()
  const kept: Kept = { userId: getSession().userId, drafts: draft ? { ...others, [itemId]: draft } : others }
  try {
    sessionStorage.setItem(draftsKey, JSON.stringify(kept))
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}

/** After a log-out, and once a purchase is paid. */
export function forgetGiftDrafts() {
  try {
    sessionStorage.removeItem(draftsKey)
  } catch {
    // Storage is forbidden: nothing is kept.
  }
}
