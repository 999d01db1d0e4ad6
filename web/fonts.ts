import { createHash } from 'node:crypto'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** The characters that the fonts keep: Latin with accents, and the signs of prices and legal texts. */
const characters = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xff),
  ...range(0x152, 0x153),
  ...range(0x2013, 0x201e),
  ...[0x131, 0x2022, 0x2026, 0x2039, 0x203a, 0x20ac, 0x2122, 0x2212],
]
const subset = {
  targetFormat: 'woff2' as const,
  // The range of weights in the style sheets.
  variationAxes: { wght: { min: 400, max: 800 } },
  // Tabular figures, for tables.
  keepFeatures: ['kern', 'tnum'],
  noHinting: true,
}

/** Hash of the subset settings. Part of the file names, because browsers cache fonts for a year. */
const subsetHash = createHash('sha256')
  .update(JSON.stringify([characters, subset]))
  .digest('hex')
  .slice(0, 8)

function range(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/**
 * Reduces each font to the characters in use, half of its size, and preloads the fonts with the page: a browser would find
 * them only after the style sheet.
 */
export function fonts(): Plugin {
  return {
    name: 'nifty:fonts',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            assetFileNames: ({ names: [name = ''] }) =>
              name.endsWith('.woff2') ? `assets/[name]-${subsetHash}-[hash][extname]` : 'assets/[name]-[hash][extname]',
          },
        },
      },
    }),
    async generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle))
        if (asset.type === 'asset' && asset.fileName.endsWith('.woff2'))
          asset.source = await subsetFont(Buffer.from(asset.source), String.fromCodePoint(...characters), subset)
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
