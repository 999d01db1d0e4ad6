import { CONTENT_PREFIX, getText } from '@nifty/api/content'
import { endpointUrl } from '@nifty/api/endpoint'
import { API_PREFIX, type FrontEndConfig, getFrontEndConfig, UPLOADS_PREFIX } from '@nifty/api/gateway'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './chunks.ts'
import { compress } from './compress.ts'
import { endpoints } from './endpoints.ts'
import { fonts } from './fonts.ts'
import { writeEntryPages } from './prerender.ts'
import { startAfterPaint } from './start.ts'

/** The store behind Vite: that of `pnpm dev` (`STORE_URL`), or one of `pnpm start`. */
const store = process.env.STORE_URL ?? 'http://localhost:8080'
/**
 * `pnpm dev` gives its store the origin of Vite. Another store's gateway rejects unsafe methods unless they have its
 * own.
 */
const toStore = { target: store, headers: process.env.STORE_URL ? undefined : { origin: store } }

/** The name of the store behind Vite, which the documents of a gateway have. */
function storeName(): Plugin {
  return {
    name: 'nifty:store-name',
    apply: 'serve',
    async transformIndexHtml() {
      const response = await fetch(new URL(getFrontEndConfig.path, store))
      const { name } = ((await response.json()) as FrontEndConfig).store
      return [{ tag: 'meta', attrs: { property: 'og:site_name', content: name } }]
    },
  }
}

/** Home's text of the store behind Vite, likewise. */
function homeText(): Plugin {
  return {
    name: 'nifty:home-text',
    apply: 'serve',
    async transformIndexHtml() {
      const response = await fetch(new URL(endpointUrl(getText, { params: { name: 'home' } }), store))
      const children = `{"hashes":{},"home":${(await response.text()).replaceAll('<', '\\u003c')}}`
      return [{ tag: 'script', attrs: { type: 'application/json', id: 'texts' }, children }]
    },
  }
}

export default defineConfig({
  plugins: [
    endpoints(),
    react(),

    fonts(),
    writeEntryPages(),
    startAfterPaint(),
    storeName(),
    homeText(),
    compress(),
  ],
  build: {
    // The CSP forbids inline styles and scripts and `data:` fonts, so every asset is a file.
    assetsInlineLimit: 0,
    // The gateway reads from the manifest which scripts a page needs.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: chunkGroups,
        },
      },
    },
  },
  server: {
    proxy: {
      [API_PREFIX]: toStore,
      [UPLOADS_PREFIX]: toStore,
      [CONTENT_PREFIX]: toStore,
      [getFrontEndConfig.path]: toStore,
      '/manifest.webmanifest': toStore,
    },
  },
})
