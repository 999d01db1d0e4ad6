import { STORE_ICON, type Store } from '@nifty/api/gateway'
import { DEFAULT_STORE_NAME } from '@nifty/api/store'
import type { Branding, BrandingFile } from '@nifty/service-kit/base/branding'

const MASKABLE_ICON = '/icon-maskable-512.png'
const SMALL_ICON = '/icon-192.png'
const ICONS = ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', STORE_ICON]

/**
 * Icons that a shop's branding folder lacks, drawn at the first request: the small and the maskable one from its icon,
 * the others from its vector icon, or with the first letter of its name. Undefined where the build's own file is right.
 */
export function createIcons({ store, branding }: { store: Store; branding: Branding }) {
  const own = branding.fixed.get(STORE_ICON) ?? branding.fixed.get('/favicon.svg')
  if (!own && store.name === DEFAULT_STORE_NAME) return { find: async () => undefined }
  const drawn = new Map<string, Promise<BrandingFile>>()

  async function draw(path: string): Promise<BrandingFile> {
    const [{ drawIcon }, { loadFonts }] = await Promise.all([import('./draw.ts'), import('../share-images/fonts.ts')])
    await loadFonts()
    const bytes = await drawIcon({
      own: own?.bytes,
      name: store.name,
      theme: branding.theme,
      maskable: path === MASKABLE_ICON,
      size: path === SMALL_ICON ? 192 : 512,
    })
    return { bytes, type: 'image/png' }
  }

  return {
    find: async (path: string): Promise<BrandingFile | undefined> => {
      const kind = ICONS.includes(path) ? STORE_ICON : path
      if (![STORE_ICON, SMALL_ICON, MASKABLE_ICON].includes(kind)) return undefined
      const drawing = drawn.get(kind) ?? draw(kind)
      drawn.set(kind, drawing)
      // The next request tries again.
      drawing.catch(() => drawn.delete(kind))
      return drawing
    },
  }
}
