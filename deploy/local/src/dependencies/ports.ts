import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { readJson, writeJson } from '../data-dir.ts'

let writing: Promise<unknown> = Promise.resolve()

/** The port that a part had at the last start, so that bookmarks and open pay pages stay good; else a free one. */
export async function portFor(folder: string, part: string): Promise<number> {
  const file = join(folder, 'ports.json')
  const chosen = writing.then(async () => {
    const ports = (await readJson<Record<string, number>>(file)) ?? {}
    const before = ports[part]
    if (before && (await isFree(before))) return before
    const port = await freePort()
    await writeJson(file, { ...ports, [part]: port })
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
