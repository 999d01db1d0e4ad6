import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const script = (name: string) => `window.ran = [...(window.ran ?? []), ${JSON.stringify(name)}]`

const files: Record<string, { type: string; body: string }> = {
  '/tags.js': { type: 'text/javascript', body: script('tag manager') },
  '/statistics.js': { type: 'text/javascript', body: script('analytics') },
  '/loop': { type: 'text/html', body: '<!doctype html><title>A film</title><body style="background: teal">' },
}

/** Third parties whose code the store's pages load: a tag manager, an analytics provider and a video host. */
export async function startThirdParties() {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Does not keep the process alive when a store failed to start and nothing stops this server.
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    env: {
      TAG_MANAGER_URL: `${origin}/tags.js`,
      ANALYTICS_URL: `${origin}/statistics.js?id=G-STORE`,
      VIDEO_URL: `${origin}/loop`,
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
