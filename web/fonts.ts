import { createHash } from 'node:crypto'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** First and last of the characters that the fonts keep: English with the signs of prices and legal texts. */
const english = [[0x20, 0x7e], [0xa0], [0xa9], [0xb7], [0xd7], [0x2013, 0x201e], [0x2022], [0x2026], [0x20ac], [0x2212]]
/** Those of further files, which few texts have: letters of names, and signs. */
const others = {
  accents: [[0xc0, 0xd6], [0xd8, 0xf6], [0xf8, 0xff], [0x131], [0x152, 0x153]],
  signs: [[0xa1, 0xa8], [0xaa, 0xb6], [0xb8, 0xbf], [0xf7], [0x2039, 0x203a], [0x2122]],
}
const subset = {
  targetFormat: 'woff2' as const,
  // The range of weights in the style sheets.
  variationAxes: { wght: { min: 400, max: 700 } },
  // Tabular figures, for tables.
  keepFeatures: ['kern', 'tnum'],
  noHinting: true,
}

const textOf = (ranges: number[][]) =>
  ranges
    .flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((code) => String.fromCodePoint(code))
    .join('')

const unicodeRange = (ranges: number[][]) =>
  ranges.map((range) => `U+${range.map((code) => code.toString(16)).join('-')}`).join()

const isFont = (file: string) => file.endsWith('.woff2')
const fileWith = (name: string, file: string) => file.replace('.woff2', `.${name}.woff2`)
/** A rule `@font-face` as one per file: browsers load the others for pages with their characters only. */
const splitFontFaces = (css: string) =>
  css.replace(/@font-face\s*{[^}]*\.woff2[^}]*}/g, (rule) => {
    const withRange = (ranges: number[][]) => rule.replace(/;?\s*}$/, `;unicode-range:${unicodeRange(ranges)}}`)
    const further = Object.entries(others).map(([name, ranges]) => fileWith(name, withRange(ranges)))
    return further.join('') + withRange(english)
  })

/**
 * Hash of what is done to the fonts and their rules. Part of the file names, because browsers cache fonts for a year.
 */
const subsetHash = createHash('sha256')
  .update(JSON.stringify([english, others, subset]) + splitFontFaces)
  .digest('hex')
  .slice(0, 8)

/**
 * Reduces each font to the characters in use, a third of its size, and preloads the fonts with the page: a browser
 * would find them only after the style sheet.
 */
export function fonts(): Plugin {
  return {
    name: 'nifty:fonts',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            assetFileNames: ({ names: [name = ''] }) =>
              isFont(name) ? `assets/[name]-${subsetHash}-[hash][extname]` : 'assets/[name]-[hash][extname]',
          },
        },
      },
    }),
    generateBundle: {
      // Vite adds the style sheet in the same hook.
      order: 'post',
      async handler(_options, bundle) {
        for (const asset of Object.values(bundle)) {
          if (asset.type !== 'asset') continue
          if (asset.fileName.endsWith('.css')) asset.source = splitFontFaces(String(asset.source))
          if (!isFont(asset.fileName)) continue
          const whole = Buffer.from(asset.source)
          asset.source = await subsetFont(whole, textOf(english), subset)
          for (const [name, ranges] of Object.entries(others)) {
            const source = await subsetFont(whole, textOf(ranges), subset)
            this.emitFile({ type: 'asset', fileName: fileWith(name, asset.fileName), source })
          }
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter(isFont)
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head',
          })),
    },
  }
}
