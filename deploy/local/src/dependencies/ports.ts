import { join } from 'node:path'
import { freePort, isFree } from '@nifty/dev-servers/free-port'
import { readJson, writeJson } from '@nifty/testkit/data-dir'

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
