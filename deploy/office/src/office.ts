import { once } from 'node:events'
import { http } from '@nifty/service-kit/http/node-http'
import type { OfficeStore } from './app.ts'
import { createGuard } from './guard.ts'

export type RunningOffice = {
  /** The address with the code that opens one session. */
  address: string
  stop: () => Promise<void>
}

type Options = {
  /** 0 for a free one. */
  port: number
  store: OfficeStore
  /** Resolves with the folder of the built pages. */
  webRoot: () => Promise<string>
  /** In milliseconds since the epoch. */
  now?: () => number
}

/**
 * Starts the office on this machine only. Its code and its pages are loaded at the first request, so that it costs the
 * process of a store next to nothing. By number and not `localhost`, because the cookies of a host go to all its ports,
 * and a local store is at `localhost`.
 */
export async function startOffice({ port, store, webRoot, now }: Options): Promise<RunningOffice> {
  const server = http.createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: listening } = server.address() as { port: number }
  const origin = `http://127.0.0.1:${listening}`
  const guard = createGuard({ origin, now })

  async function load() {
    const [{ buildOffice }, { readFiles }, folder] = await Promise.all([
      import('./app.ts'),
      import('./files.ts'),
      webRoot(),
    ])
    const app = buildOffice({ store, guard, files: await readFiles(folder) })
    await app.ready()
    return app
  }

  let loading: ReturnType<typeof load> | undefined
  server.on('request', (request, response) => {
    loading ??= load()
    loading.then(
      (app) => app.routing(request, response),
      (error: Error) => {
        // The next request tries again.
        loading = undefined
        response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' })
        response.end(`The office did not start: ${error.message}`)
      },
    )
  })

  return {
    address: `${origin}/#${guard.code}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await loading?.then((app) => app.close()).catch(() => {})
    },
  }
}
