import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress } from './compress.ts'
import { fonts } from './fonts.ts'
import { beginnings } from './src/beginnings.ts'

/** For the gateway: what the first pages need. */
function tellBeginnings(): Plugin {
  return {
    name: 'nifty:tell-beginnings',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '.vite/beginnings.json', source: JSON.stringify(beginnings) })
    },
  }
}

/** Modules whose path below `src` begins like that. */
const code = (...beginnings: string[]) => new RegExp(`/src/(${beginnings.join('|')})[^/]*\\.tsx?$`)

const itemPage = [
  ...['pages/item-', 'pages/manage-work', 'items/item-art', 'items/item-facts', 'items/owner-card', 'items/provenance'],
  ...['items/use-item', 'selling/', 'purchase/buy', 'purchase/held', 'purchase/pay', 'purchase/use', 'wallet/'],
  ...[
    'orders/use-orders',
    'orders/order(?!-)',
    'ui/facts',
    'ui/moment',
    'ui/transaction',
    'ui/dialog',
    'frame/missing',
  ],
  'use-config',
]

const store = 'http://localhost:8080'

export default defineConfig({
  plugins: [react(), fonts(), tellBeginnings(), compress()],
  build: {
    // Everything that the strict CSP allows is a file: no inline styles, scripts or data: fonts.
    assetsInlineLimit: 0,
    // The whole style sheet is 11 kB: in one piece nobody waits for a second one.
    cssCodeSplit: false,
    // The gateway reads there which scripts a page needs.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Changes only when a library does, so a returning visitor keeps it.
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/].*(react|react-dom|react-router|react-router-dom|scheduler|swr|cookie|set-cookie-parser|use-sync-external-store|dequal)[\\/]/,
              priority: 2,
            },
            // What belongs together loads together: each file less is a name less in the first one.
            {
              name: 'works',
              test: /src[\\/](items[\\/](work|item-(grid|card|price|image)|sizes|use-market)|ui[\\/](field\.tsx|price|use-media|pagination|picture)|creators[\\/]use-)/,
            },
            { name: 'item', test: code(...itemPage) },
            { name: 'explore', test: code('pages/explore-page', 'items/filter', 'frame/page-head') },
            { name: 'consent', test: /src[\\/]consent[\\/](decide|consent-cookies|cookie-banner)/ },
            { name: 'legal', test: /src[\\/](legal|pages[\\/](terms|privacy|cookie-policy))/ },
            {
              name: 'letters',
              test: /src[\\/](account[\\/](reset|password-reset|verify)|pages[\\/](reset|thank-you|goodbye|accept))/,
            },
            { name: 'orders', test: /src[\\/]pages[\\/](order|orders|receipt|certificate)-/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': store, '/uploads': store, '/config.json': store } },
})
