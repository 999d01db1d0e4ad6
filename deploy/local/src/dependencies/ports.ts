import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { readJson, writeJson } from '../data-dir.ts'

let writing: Promise<unknown> = Promise.resolve()

/** The port of the last start if it is free, so that bookmarks and open pay pages stay valid; else a free one. */
export async function portFor(folder: string, server: string): Promise<number> {
  const file = join(folder, 'ports.json')
  const chosen = writing.then(async () => {
    const ports = (await readJson<Record<string, number>>(file)) ?? {}
    const before = ports[server]
    if (before && (await isFree(before))) return before
    const port = await freePort()
    await writeJson(file, { ...ports, [server]: port })
    return port
  })
  writing = chosen
  return chosen
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
