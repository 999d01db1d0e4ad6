import { createSemaphore } from '@nifty/service-kit/base/semaphore'
import { getBytes, type Upstream } from '@nifty/service-kit/http/upstream'
import { LRUCache } from 'lru-cache'
import { type ShareCard, versionOf } from './card.ts'
import type { Look } from './look.ts'

/** Images that one gateway keeps in memory: some 300. */
const MAX_BYTES = 32 * 1024 * 1024
/** Requests that wait for a drawing, and of one client; more get 429. */
const MAX_WAITING = 50
const MAX_WAITING_PER_CLIENT = 5

/** `isFinal` is false while a picture of the card could not be read. */
export type ShareImage = { jpeg: Buffer; isFinal: boolean }

/**
 * Loaded on demand: many gateways never draw, and sharp takes 30 MB. Not in an image process: all pictures here were
 * encoded by the store itself, and the fonts would be registered anew after each pause.
 */
async function startDrawing() {
  const [{ loadFonts }, { renderShareImage }] = await Promise.all([import('./fonts.ts'), import('./render.ts')])
  await loadFonts()
  return renderShareImage
}

/** Share images, drawn once per content, one at a time, and kept in memory. */
export function createShareImages({
  minting,
  look,
  maxBytes = MAX_BYTES,
}: {
  minting: Upstream
  look: Look
  maxBytes?: number
}) {
  const semaphore = createSemaphore({
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
  })
  const drawings = new Map<string, Promise<ShareImage>>()
  /** By version. */
  const kept = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length })
  let drawing: ReturnType<typeof startDrawing> | undefined

  async function draw(card: ShareCard, version: string): Promise<ShareImage> {
    drawing ??= startDrawing().catch((error) => {
      // The next image tries again.
      drawing = undefined
      throw error
    })
    const render = await drawing
    const found = await Promise.all(card.pictures.map((path) => getBytes(minting, `${path}?w=960`)))
    const pictures = found.filter((picture) => picture !== undefined)
    const jpeg = await render(card, pictures, look)
    const isFinal = pictures.length === card.pictures.length
    if (isFinal) kept.set(version, jpeg)
    return { jpeg, isFinal }
  }

  return {
    /** The image of a card. Rejects with 429 while too many wait, or too many of this client. */
    get: async (card: ShareCard, client: string): Promise<ShareImage> => {
      const version = versionOf(card)
      const jpeg = kept.get(version)
      if (jpeg) return { jpeg, isFinal: true }
      const running = drawings.get(version)
      if (running) return running
      const drawn = semaphore(() => draw(card, version), client).finally(() => drawings.delete(version))
      drawings.set(version, drawn)
      return drawn
    },
  }
}
