import type { Nft } from '@nifty/api/catalog/public'
import type { ItemPreview } from '../../items/artwork.tsx'
import { viewedKey } from '../../session.ts'

/** What a tile shows and links to; prices change, so none is kept. */
export type ViewedItem = ItemPreview & Pick<Nft, 'contract' | 'identifier' | 'ownerUsername' | 'creatorUsername'>

const KEPT = 9

/** The works that this browser has shown last, newest first. Kept in this browser only, until log-out. */
export function readViewed(): ViewedItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(viewedKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isViewed).slice(0, KEPT) : []
  } catch {
    return []
  }
}

const isViewed = (entry: unknown): entry is ViewedItem =>
  ['_id', 'name', 'contract', 'identifier'].every(
    (key) => typeof (entry as Record<string, unknown>)?.[key] === 'string',
  )

export function rememberViewed(item: ViewedItem) {
  const { _id, name, image, display_image_url, width, height, color } = item
  const { contract, identifier, ownerUsername, creatorUsername } = item
  const entry = {
    ...{ _id, name, image, display_image_url, width, height, color },
    ...{ contract, identifier, ownerUsername, creatorUsername },
  }
  try {
    const entries = [entry, ...readViewed().filter((viewed) => viewed._id !== _id)].slice(0, KEPT)
    localStorage.setItem(viewedKey, JSON.stringify(entries))
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}
