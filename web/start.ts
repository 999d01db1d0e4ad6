import type { Plugin } from 'vite'

/**
 * Lets `src/app/start.ts` load the app: in the built `index.html` it takes the place of the app's script. The hints of
 * that, and of its chunks, are in a template, where the browser does not follow them; the server half adds those of the
 * page.
 */
export function startAfterPaint(): Plugin {
  return {
    name: 'nifty:start',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/app/start.ts', name: 'start' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const start = Object.values(bundle!).find(({ type, name }) => type === 'chunk' && name === 'start')!
        const app = /<script type="module" crossorigin src="([^"]+)"><\/script>/.exec(html)
        if (!app) throw new Error('index.html has no script of the app as Vite writes it')
        const hint = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g
        const chunks = [...html.matchAll(hint)].map(([, href]) => href!)
        const hints = [...chunks, app[1]!].map(
          (href) => `<link rel="modulepreload" crossorigin href="${href}" fetchpriority="low">`,
        )
        return html
          .replace(hint, '')
          .replace(
            app[0],
            `<script type="module" crossorigin blocking="render" src="/${start.fileName}"></script>\n` +
              `    <template id="app">${hints.join('')}</template>`,
          )
      },
    },
  }
}
