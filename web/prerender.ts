import { type Plugin, runnerImport } from 'vite'
import { entryPages, type Prerendered } from './src/app/entry-pages.ts'

type Prerender = { prerendered: () => Record<Prerendered, string | Record<string, string>> }

/**
 * Writes `.vite/entry-pages.json`, from which the gateway makes preload hints, and the markup of the documents, which
 * Node renders here with the front end's own components (`src/app/prerender.tsx`).
 */
export function writeEntryPages(): Plugin {
  return {
    name: 'nifty:entry-pages',
    async generateBundle() {
      const { module } = await runnerImport<Prerender>('./src/app/prerender.tsx', {
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'error',
        plugins: [withoutStyles],
      })
      const markup = module.prerendered()
      const pages = entryPages.map(({ prerendered, prerenderedWithoutWorks: without, ...page }) => ({
        ...page,
        markup: markup[prerendered],
        markupWithoutWorks: without && markup[without],
      }))
      this.emitFile({ type: 'asset', fileName: '.vite/entry-pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** In Node a style sheet is an empty module. */
const withoutStyles: Plugin = {
  name: 'nifty:without-styles',
  enforce: 'pre',
  resolveId: { filter: { id: /\.css$/ }, handler: () => '\0no-styles' },
  load: { filter: { id: /^\0no-styles$/ }, handler: () => '' },
}
