import type { Plugin } from 'vite'

/**
 * Lets `src/start.ts` load the app: in the built `index.html` it takes the place of the app's script. That, and the hints for
 * its chunks, are in a template, to which the gateway adds those of the page.
 */
export function startAfterPaint(): Plugin {
  return {
    name: 'nifty:start',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/start.ts', name: 'start' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const start = Object.values(bundle!).find(({ type, name }) => type === 'chunk' && name === 'start')!
        const chunks: string[] = []
        return html
          .replace(/\s*<link rel="modulepreload"[^>]*>/g, (hint) => {
            chunks.push(hint.trim())
            return ''
          })
          .replace(
            /<script type="module" crossorigin src="([^"]+)"><\/script>/,
            (_script, app) =>
              `<script type="module" crossorigin blocking="render" src="/${start.fileName}"></script>\n` +
              `    <template id="app">${chunks.join('')}<link rel="modulepreload" crossorigin href="${app}"></template>`,
          )
      },
    },
  }
}
