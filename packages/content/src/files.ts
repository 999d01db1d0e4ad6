import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ContentError } from './content-error.ts'
import { type Head, type Keys, type Parsed, parseHead } from './head.ts'

const legal = {
  title: 'required',
  /** The last part of the breadcrumb; the title by default. */
  crumb: 'optional',
  version: 'optional',
  /** The day from which the text is in force. */
  effective: 'optional',
  /** A line below the title, in Markdown. */
  summary: 'optional',
  /** Language of the text, where it is not English: BCP 47. */
  lang: 'optional',
} as const satisfies Keys

/** The files of a shop's texts, and the keys of their heads. */
const keysOf = {
  home: {
    title: 'required',
    action: 'required',
    topItems: 'required',
    discover: 'required',
    creators: 'required',
    exhibitions: 'required',
    contact: 'required',
    contactAction: 'required',
    lang: 'optional',
  },
  questions: { title: 'required', lang: 'optional' },
  terms: { ...legal, version: 'required' },
  privacy: legal,
  cookies: legal,
} as const satisfies Record<string, Keys>

export type FileName = keyof typeof keysOf
export type HeadOf<Name extends FileName> = Head<(typeof keysOf)[Name]>
export type ContentFile<Name extends FileName> = Parsed<(typeof keysOf)[Name]>

const own = join(import.meta.dirname, '../texts')
const names = Object.keys(keysOf) as FileName[]

/**
 * Reads one file of a shop's folder, or the repository's own where the shop has none. `folder`: `CONTENT_DIR`. Throws a
 * ContentError.
 */
export function readContentFile<Name extends FileName>(folder: string | undefined, name: Name): ContentFile<Name> {
  const file = `${name}.md`
  const given = folder !== undefined && listFolder(folder).includes(file)
  const path = join(given ? folder : own, file)
  return parseHead({ path, text: readText(path), keys: keysOf[name] })
}

/** Throws a ContentError for a file that no page has. Names with a dot in front are the system's, as in a ConfigMap. */
export function refuseUnknownFiles(folder: string | undefined) {
  if (folder === undefined) return
  const known = names.map((name) => `${name}.md`)
  const unknown = listFolder(folder).find((file) => !file.startsWith('.') && !known.includes(file))
  if (unknown === undefined) return
  throw new ContentError({ path: join(folder, unknown), line: 1 }, `no page has this file: ${known.join(', ')}`)
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new Error(`CONTENT_DIR: ${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Documents have the home's text in them. */
const MAX_BYTES = 500_000

/** Throws a ContentError for what is no file, too long, not UTF-8, or has control characters. */
function readText(path: string): string {
  const found = statSync(path)
  if (!found.isFile()) throw new ContentError({ path, line: 1 }, 'this is no file')
  if (found.size > MAX_BYTES) throw new ContentError({ path, line: 1 }, `more than ${MAX_BYTES / 1_000} kB`)
  const text = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
  const refuse = (pattern: RegExp, what: string) => {
    const line = text.split('\n').findIndex((each) => pattern.test(each)) + 1
    if (line > 0) throw new ContentError({ path, line }, what)
  }
  refuse(/\uFFFD/, 'this is not UTF-8')
  refuse(/(?!\t)\p{Cc}/u, 'control characters cannot be shown')
  return text
}
