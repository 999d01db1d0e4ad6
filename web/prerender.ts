import { createServer, type Plugin } from 'vite'
import { type EntryPage, entryPages } from './src/entry-pages.ts'

/**
 * Writes `.vite/entry-pages.json`, from which the gateway makes preload hints, and the markup of the documents that are
 * rendered during the build (`src/prerender.tsx`).
 */
export function writeEntryPages(): Plugin {
  return {
    name: 'nifty:entry-pages',
    async generateBundle() {
      const markup = await prerender()
      const pages = entryPages.map(({ prerendered, ...page }) => ({
        ...page,
        markup: markup[prerendered],
      }))
      this.emitFile({ type: 'asset', fileName: '.vite/entry-pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** Runs the front end's own components in Node. */
async function prerender() {
  const server = await createServer({
    configFile: false,
    root: import.meta.dirname,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { prerendered } = await server.ssrLoadModule('/src/prerender.tsx')
    return prerendered() as Record<EntryPage['prerendered'], string>
  } finally {
    await server.close()
  }
}
