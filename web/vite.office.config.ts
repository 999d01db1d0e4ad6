import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { endpoints } from './endpoints.ts'
import { fonts } from './fonts.ts'

/** The office: pages for operators, which the operator's tool serves. The store's build has nothing of them. */
export default defineConfig({
  plugins: [endpoints(), react(), fonts()],
  publicDir: false,
  build: {
    outDir: 'dist-office',
    // The CSP forbids inline styles and scripts and `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'office.html' },
  },
})
