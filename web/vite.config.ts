import { API_PREFIX, getFrontEndConfig, UPLOADS_PREFIX } from '@nifty/api/gateway'
import { documentTitle, pages, siteDescription } from '@nifty/api/pages'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress } from './compress.ts'
import { endpoints } from './endpoints.ts'
import { fonts } from './fonts.ts'
import { writeEntryPages } from './prerender.ts'
import { startAfterPaint } from './start.ts'
import { treeshakeReactRouter } from './treeshaking.ts'

/** Fills in the title and the description of `index.html`. */
function fillIndexHtml(): Plugin {
  return {
    name: 'nifty:index-html',
    transformIndexHtml: (html) =>
      html.replace('%title%', documentTitle(pages.home.title)).replace('%description%', siteDescription),
  }
}

/** One chunk of all modules in these folders below `src`, without their subfolders. */
const chunk = (name: string, ...folders: string[]) => ({
  name,
  test: new RegExp(`[\\\\/]src[\\\\/](${folders.join('|')})[\\\\/][^\\\\/]+\\.(tsx?|css)$`),
})

/** The store behind Vite: that of `pnpm dev` (`STORE_URL`), or one of `pnpm start`. */
const store = process.env.STORE_URL ?? 'http://localhost:8080'
/** `pnpm dev` gives its store the origin of Vite. Another store's gateway rejects unsafe methods unless they have its own. */
const toStore = { target: store, headers: process.env.STORE_URL ? undefined : { origin: store } }

export default defineConfig({
  plugins: [
    endpoints(),
    react(),
    treeshakeReactRouter(),
    fonts(),
    writeEntryPages(),
    startAfterPaint(),
    fillIndexHtml(),
    compress(),
  ],
  build: {
    // The CSP forbids inline styles and scripts and `data:` fonts, so every asset is a file.
    assetsInlineLimit: 0,
    // The style sheet of all pages has 11 kB: one request instead of one per page.
    cssCodeSplit: false,
    // The gateway reads from the manifest which scripts a page needs.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Changes only with a library, so returning visitors keep it cached.
            {
              name: 'vendor',
              test: /node_modules[\\/].*(react|react-dom|react-router|react-router-dom|scheduler|swr|cookie|set-cookie-parser|use-sync-external-store|dequal)[\\/]/,
              priority: 2,
            },
            // Folders that load together are one chunk: fewer requests, and fewer chunk names in the entry chunk.
            // With what sends requests: every page needs both.
            {
              name: 'ui',
              test: /[\\/]src[\\/](ui[\\/][^\\/]+|api|endpoint|own-changes|session|storage-listeners|step-up[\\/]step-up|paths|pages|preloaded|price|mailed-token|use-config|with-company)\.(tsx?|css)$/,
            },
            chunk('items', 'items', 'creators'),
            // Small parts of several pages, none of them of home.
            {
              name: 'page',
              test: /[\\/]src[\\/](layout[\\/](page-head|missing-page|use-focus-after-removal)|creators[\\/](links|cover)[\\/][^\\/]+|share[\\/][^\\/]+|page-of|categories)\.(tsx?|css)$/,
            },
            chunk('forms', 'ui/forms'),
            chunk('trade', 'custody', 'selling', 'wallet', 'orders'),
            chunk('consent', 'consent/banner'),
            chunk('favourites', 'items/favourites'),
            {
              name: 'own-account',
              test: /[\\/]src[\\/]account[\\/](device-id|email-confirmation|use-log-out|use-own-profile)\.tsx?$/,
            },
            chunk('account', 'pages/account'),
            chunk('orders', 'pages/orders'),
            chunk('legal', 'pages/legal'),
          ],
        },
      },
    },
  },
  server: { proxy: { [API_PREFIX]: toStore, [UPLOADS_PREFIX]: toStore, [getFrontEndConfig.path]: toStore } },
})
