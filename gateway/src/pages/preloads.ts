import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Market } from '@nifty/api/catalog'
import { getJson, type Upstream } from '../proxy/upstream.ts'

type Manifest = Record<string, { file: string; imports?: string[] }>

/** As the front end's build wrote it down; `web/src/beginnings.ts` says what the fields mean. */
type Beginning = {
  path: string
  page: string
  answers: string[]
  picture?: { of?: string; widths: number[]; sizes: string }
}

/** What a page needs beside the frame's own files: asked for with the document, it is there when the frame runs. */
export type Needs = { scripts: string[]; answers: string[]; pictures: { srcset: string; sizes: string }[] }

const nothing: Needs = { scripts: [], answers: [], pictures: [] }

/**
 * Tells what the page at an address needs, `image` being the work that it is about. Nothing for most; a question of its own
 * is another one than the page's first.
 */
export async function readNeeds(root: string, catalog: Upstream) {
  const read = async (name: string) => JSON.parse(await readFile(join(root, '.vite', name), 'utf8'))
  const manifest: Manifest = await read('manifest.json')
  const beginnings: Beginning[] = await read('beginnings.json')
  const frame = loadedBy(manifest, 'index.html')
  const known = beginnings.map(({ path, page, answers, picture }) => {
    const own = loadedBy(manifest, page).filter((key) => !frame.includes(key))
    return { pattern: new RegExp(path), scripts: own.map((key) => `/${manifest[key]!.file}`), answers, picture }
  })

  return async (url: string, image: string | undefined): Promise<Needs> => {
    const [path, query] = url.split('?', 2) as [string, string?]
    const beginning = known.find(({ pattern }) => pattern.test(path))
    if (!beginning) return nothing
    const { pattern, scripts, answers, picture } = beginning
    if (query) return { ...nothing, scripts }
    return {
      scripts,
      answers: answers.map((answer) => asWritten(path).replace(pattern, answer)),
      pictures: picture ? picturesOf(picture, picture.of ? await firstImage(picture.of, catalog) : image) : [],
    }
  }
}

const firstImage = async (market: string, catalog: Upstream) => (await getJson<Market>(catalog, market))?.nfts[0]?.image

const picturesOf = ({ widths, sizes }: NonNullable<Beginning['picture']>, image: string | null | undefined) =>
  image ? [{ srcset: widths.map((width) => `${image}?w=${width} ${width}w`).join(', '), sizes }] : []

/** Each part of a path as the front end writes it in its questions. */
const asWritten = (path: string) => path.split('/').map(encodePart).join('/')

function encodePart(part: string) {
  try {
    return encodeURIComponent(decodeURIComponent(part))
  } catch {
    return part
  }
}

/** A chunk and everything that loads with it. */
function loadedBy(manifest: Manifest, entry: string): string[] {
  const keys = [entry]
  for (const key of keys) keys.push(...(manifest[key]?.imports ?? []).filter((next) => !keys.includes(next)))
  return keys.filter((key) => manifest[key])
}
