import { STORE_ICON, type Store } from '@nifty/api/gateway'
import { defaultColours } from '@nifty/service-kit/base/theme'

export const MANIFEST_PATH = '/manifest.webmanifest'

const icon = (src: string, size: number, purpose?: 'maskable') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  ...(purpose && { purpose }),
})

/** The web app manifest: how the store is called where a visitor installs it. */
export const manifestOf = ({ name, tagline }: Store, colour = defaultColours.background) => ({
  name,
  short_name: name,
  description: tagline,
  start_url: '/',
  display: 'standalone',
  background_color: colour,
  theme_color: colour,
  icons: [icon('/icon-192.png', 192), icon(STORE_ICON, 512), icon('/icon-maskable-512.png', 512, 'maskable')],
})
