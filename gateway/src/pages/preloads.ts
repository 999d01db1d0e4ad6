import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Manifest = Record<string, { file: string; imports?: string[] }>

/** Where most visits begin, and the code of these pages. */
const beginnings: [RegExp, string][] = [
  [/^\/(index)?$/, 'src/pages/home-page.tsx'],
  [/^\/explore-one$/, 'src/pages/explore-page.tsx'],
  [/^\/item-detail\/./, 'src/pages/item-page.tsx'],
]

/** Tells which scripts a page needs beside the frame's: asked for with the document, they are there when the frame runs. */
export async function readPreloads(root: string): Promise<(path: string) => string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(root, '.vite/manifest.json'), 'utf8'))
  const frame = loadedBy(manifest, 'index.html')
  const scripts = beginnings.map(([pattern, entry]) => {
    const own = loadedBy(manifest, entry).filter((key) => !frame.includes(key))
    return { pattern, files: own.map((key) => `/${manifest[key]!.file}`) }
  })
  return (path) => scripts.find(({ pattern }) => pattern.test(path))?.files ?? []
}

/** A chunk and everything that loads with it. */
function loadedBy(manifest: Manifest, entry: string): string[] {
  const keys = [entry]
  for (const key of keys) keys.push(...(manifest[key]?.imports ?? []).filter((next) => !keys.includes(next)))
  return keys.filter((key) => manifest[key])
}
