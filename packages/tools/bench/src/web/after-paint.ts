import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, constants } from 'node:zlib'

const START = '/start-after-paint.js'

/**
 * A store whose documents start the app after the paint: in front of another one it follows the hints of what the app
 * needs only when the document's images are painted, and takes out what can be pressed before.
 */
export async function startAfterPaint(storeUrl: string) {
  const server = createServer((incoming, response) => {
    if (incoming.url === START) return void response.setHeader('content-type', 'text/javascript').end(startScript)
    const isDocument = Boolean(incoming.headers.accept?.includes('text/html'))
    const headers = isDocument ? { ...incoming.headers, 'accept-encoding': 'identity' } : incoming.headers
    const sent = request(new URL(incoming.url!, storeUrl), { method: incoming.method, headers }, (received) => {
      if (isDocument) void sendDocument(received, response)
      else received.pipe(response.writeHead(received.statusCode!, received.headers))
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Compressed as the gateway compresses documents. */
async function sendDocument(received: IncomingMessage, response: ServerResponse) {
  const { 'content-length': _length, ...headers } = received.headers
  const body = brotliCompressSync(afterPaint(await text(received)), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  response
    .writeHead(received.statusCode!, { ...headers, 'content-encoding': 'br', 'content-length': body.length })
    .end(body)
}

function afterPaint(html: string) {
  if (!html.includes('<template id="app">')) throw new Error('the document has no hints of the app in a template')
  return html.replaceAll(' fetchpriority="low"', '').replace(/src="\/assets\/start-[^"]+"/, `src="${START}"`)
}

const startScript = `
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
const imagesLoaded = () => Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})))
async function startApp() {
  const { content } = document.querySelector('#app')
  const scripts = Array.from(content.querySelectorAll('[rel=modulepreload]'), ({ href }) => href)
  document.head.append(content)
  for (const script of scripts) {
    await import(script).catch(() => {})
    await wait(0)
  }
}
const parts = '.navigation__links, .navigation__account, .panel__part, .panel .owner-card, .item-page__more, .item-card__caption, [data-connect]'
for (const part of document.querySelectorAll(parts)) part.remove()
for (const element of document.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style
void Promise.race([imagesLoaded(), wait(1000)]).then(nextPaint).then(startApp)
`
