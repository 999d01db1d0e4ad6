import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress } from './compress.ts'

/** The two text faces are asked for together with the page, not after its style sheet was read. */
function preloadFonts(): Plugin {
  return {
    name: 'nifty:preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend',
          })),
    },
  }
}

const store = 'http://localhost:8080'

export default defineConfig({
  plugins: [react(), preloadFonts(), compress()],
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
              test: /src[\\/](items[\\/](work|item-(grid|card|price|image)|use-market)|ui[\\/](price|use-media|pagination|picture)|creators[\\/]use-)/,
            },
            { name: 'consent', test: /src[\\/]consent[\\/](decide|consent-cookies|cookie-banner)/ },
            { name: 'legal', test: /src[\\/](legal|pages[\\/](terms|privacy|cookie-policy))/ },
            {
              name: 'letters',
              test: /src[\\/](account[\\/](reset|password-reset|verify)|pages[\\/](reset-pass|forgot-password|thank-you|goodbye|accept))/,
            },
            { name: 'orders', test: /src[\\/]pages[\\/](order|orders|receipt|certificate)-/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': store, '/uploads': store, '/config.json': store } },
})
