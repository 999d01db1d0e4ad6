import { createHash } from 'node:crypto'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** What the store's words are written with: Latin with its accents, and the signs of prices and legal texts. */
const characters = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xff),
  ...range(0x152, 0x153),
  ...range(0x2013, 0x201e),
  ...[0x131, 0x2022, 0x2026, 0x2039, 0x203a, 0x20ac, 0x2122, 0x2212],
]
const kept = {
  targetFormat: 'woff2' as const,
  // The weights between which the style sheets choose.
  variationAxes: { wght: { min: 400, max: 800 } },
  // Figures of one width stand below each other in tables.
  keepFeatures: ['kern', 'tnum'],
  noHinting: true,
}

/** Part of their names, which browsers keep for a year: what is cut differently is another file. */
const cut = createHash('sha256')
  .update(JSON.stringify([characters, kept]))
  .digest('hex')
  .slice(0, 8)

function range(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place)
}

/**
 * Leaves of each typeface what the store uses, half of it, and has both asked for together with the page instead of
 * after its style sheet was read.
 */
export function fonts(): Plugin {
  return {
    name: 'nifty:fonts',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            assetFileNames: ({ names: [name = ''] }) =>
              name.endsWith('.woff2') ? `assets/[name]-${cut}-[hash][extname]` : 'assets/[name]-[hash][extname]',
          },
        },
      },
    }),
    async generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle))
        if (asset.type === 'asset' && asset.fileName.endsWith('.woff2'))
          asset.source = await subsetFont(Buffer.from(asset.source), String.fromCodePoint(...characters), kept)
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head',
          })),
    },
  }
}
