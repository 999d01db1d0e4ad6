import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type File = { type: string; content: Buffer }

export const DOCUMENT = '/office.html'

/** The built pages by path, all in memory: a request reads no file. */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, File>> {
  const names = globSync('**/*', { cwd: folder, exclude: ['.vite'] }).filter((name) => extname(name) in types)
  const files = await Promise.all(
    names.map(
      async (name): Promise<[string, File]> => [
        `/${name.replaceAll('\\', '/')}`,
        { type: types[extname(name)]!, content: await readFile(join(folder, name)) },
      ],
    ),
  )
  return new Map(files)
}
