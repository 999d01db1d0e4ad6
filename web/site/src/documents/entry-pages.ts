import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Market } from '@nifty/api/catalog/public'
import { getText } from '@nifty/api/content'
import { endpointUrl } from '@nifty/api/endpoint'
import type { FrontEndConfig } from '@nifty/api/gateway'
import type { Content } from '@nifty/content/content'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'
import { fillMarkup, variantOf, type Work } from './markup.ts'

type Manifest = Record<string, { file: string; imports?: string[] }>

/** An entry of `.vite/entry-pages.json`; `web/src/app/entry-pages.ts` documents the fields. */
type EntryPage = {
  path: string
  module: string
  requests: string[]
  /** The text that the page shows; its request has the hash of the text. */
  text?: 'terms' | 'privacy' | 'cookies'
  image?: { firstOf?: string; thenOf?: string; widths: number[]; sizes: string[] }
  /**
   * The page's first screen, rendered during the build, with placeholders for works (`markup.ts`); of a page about a
   * work by `variantOf`, of one with works by their number.
   */
  markup: string | Record<string, string>
  /** The same without works, for a document that cannot show them. */
  markupWithoutWorks?: string
}

/** What the document of an entry page has beside `index.html`: hints of what to preload, and markup. */
export type EntryParts = {
  scripts: string[]
  requests: string[]
  images: { srcset: string; sizes: string }[]
  markup: string
}

export const none: EntryParts = { scripts: [], requests: [], images: [], markup: '' }

/**
 * Reads the build's manifest and returns a function from a URL to its parts; `work` is the item that the page is about.
 * A URL with a query preloads scripts only, and has no markup with works, because the page's requests depend on the
 * query.
 */
export async function createEntryParts(
  root: string,
  { catalog, frontEnd, content }: { catalog: Upstream; frontEnd: FrontEndConfig; content: Content },
) {
  const read = async (name: string) => JSON.parse(await readFile(join(root, '.vite', name), 'utf8'))
  const manifest: Manifest = await read('manifest.json')
  const entryPages: EntryPage[] = await read('entry-pages.json')
  const loadedByIndex = chunksOf(manifest, 'index.html')
  const entries = entryPages.map(({ path, module, ...rest }) => {
    const own = chunksOf(manifest, module).filter((key) => !loadedByIndex.includes(key))
    return { pattern: new RegExp(path), scripts: own.map((key) => `/${manifest[key]!.file}`), ...rest }
  })

  return async (url: string, work: Work | undefined): Promise<EntryParts> => {
    const [path, query] = url.split('?', 2) as [string, string?]
    const entry = entries.find(({ pattern }) => pattern.test(path))
    if (!entry) return none
    const { scripts, text } = entry
    const ofText = text ? [endpointUrl(getText, { params: { name: text }, query: { v: content.hashes[text] } })] : []
    const fill = (variant: string, works: Work[]) => {
      const markup = typeof entry.markup === 'string' ? entry.markup : (entry.markup[variant] ?? '')
      const filling = { works, frontEnd, content, text: entry.text && content.texts[entry.text] }
      return fillMarkup(markup, filling) || fillMarkup(entry.markupWithoutWorks ?? '', filling)
    }
    // What a page about a work requests does not depend on the query: shared links have many of them.
    if (query && !work) return { ...none, scripts, markup: fill('', []) }
    const listed = work ? [work] : await firstWorks(entry.image, catalog)
    const works = listed ?? []
    return {
      scripts,
      markup: fill(work ? variantOf(work) : listed ? String(listed.length) : '', works),
      requests: [...entry.requests.map((request) => normalize(path).replace(entry.pattern, request)), ...ofText],
      images: entry.image ? hintsOf(entry.image, works) : [],
    }
  }
}

/** As many works as the largest first screen shows. */
const MAX_WORKS = 3

/** Undefined for a page without works, and while they cannot be read. */
async function firstWorks(image: EntryPage['image'], catalog: Upstream): Promise<Work[] | undefined> {
  const { firstOf, thenOf } = image ?? {}
  const worksOf = async (list: string) => (await getJson<Market>(catalog, list))?.nfts
  const first = firstOf ? await worksOf(firstOf) : undefined
  if (!first || first.length >= MAX_WORKS || !thenOf) return first?.slice(0, MAX_WORKS)
  const more = (await worksOf(thenOf))?.filter(({ _id }) => !first.some((work) => work._id === _id))
  return more && [...first, ...more].slice(0, MAX_WORKS)
}

const hintsOf = ({ widths, sizes }: NonNullable<EntryPage['image']>, works: Work[]) =>
  sizes.flatMap((size, place) => {
    const src = works[place]?.image
    return src ? [{ srcset: widths.map((width) => `${src}?w=${width} ${width}w`).join(', '), sizes: size }] : []
  })

/** Percent-encodes each segment as the front end does in its requests. */
const normalize = (path: string) => path.split('/').map(encodeSegment).join('/')

function encodeSegment(segment: string) {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}

/** The keys of a chunk and of all chunks that it imports statically. */
function chunksOf(manifest: Manifest, entry: string): string[] {
  const keys = [entry]
  for (const key of keys) keys.push(...(manifest[key]?.imports ?? []).filter((next) => !keys.includes(next)))
  return keys.filter((key) => manifest[key])
}
