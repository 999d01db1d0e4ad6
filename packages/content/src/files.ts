import { readdirSync, readFileSync } from 'node:fs'
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

/** Throws a ContentError for bytes that are not UTF-8. */
function readText(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const line = text.split('\n').findIndex((each) => each.includes('\uFFFD')) + 1
  if (line > 0) throw new ContentError({ path, line }, 'this is not UTF-8')
  return text.replace(/\r\n/g, '\n')
}
