import { createHash } from 'node:crypto'
import type { Contents, HomeText, LegalText, Questions } from '@nifty/api/content'
import type { Company, Store } from '@nifty/api/gateway'
import { ContentError } from './content-error.ts'
import { type ContentFile, type FileName, readContentFile, refuseUnknownFiles } from './files.ts'
import { checkPlaceholders, escapeHtml, fill, type Part, renderLine, renderParts, type Values } from './markdown.ts'

/** What the store is called and who runs it, for placeholders. */
type Named = { store: Pick<Store, 'name'>; company: Company }

/** The texts of a shop, as pages show them, and a hash of each, which stands in its address. */
export type Content = { texts: Contents; hashes: Record<keyof Contents, string> }

/** Of the specification's texts. */
const DEFAULT_LANG = 'en'

const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const valuesOf = ({ store, company }: Named): Values => ({
  storeName: store.name,
  companyName: company.name,
  companyNumber: company.number,
  companyRegister: company.register,
  companyAddress: company.address.join(', '),
  companyEmail: company.email,
})

/**
 * Reads all texts of a shop and renders them. `folder`: `CONTENT_DIR`; a file that it does not have is the repository's
 * own. Throws a ContentError with file and line.
 */
export function readContent(folder: string | undefined, named: Named): Content {
  refuseUnknownFiles(folder)
  const values = valuesOf(named)
  const texts: Contents = {
    home: readHome(folder, values),
    questions: readQuestions(folder, values),
    terms: readLegal(folder, 'terms', values),
    privacy: readLegal(folder, 'privacy', values),
    cookies: readLegal(folder, 'cookies', values),
  }
  const hashes = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, hashOf(text)]))
  return { texts, hashes: hashes as Content['hashes'] }
}

const hashOf = (text: object) => createHash('sha256').update(JSON.stringify(text)).digest('base64url').slice(0, 12)

/** The value of a key of the head, with placeholders filled in. */
function textOf<Name extends FileName>(
  file: ContentFile<Name>,
  key: keyof ContentFile<Name>['head'] & string,
  values: Values,
) {
  const value = (file.head as Record<string, string | undefined>)[key]
  if (value === undefined) return undefined
  checkPlaceholders(value, { path: file.path, line: file.lineOf(key) }, values)
  return fill(value, values)
}

function readHome(folder: string | undefined, values: Values): HomeText {
  const file = readContentFile(folder, 'home')
  const { head, path, body, bodyLine } = file
  const blankLines = /^\s*\n/.exec(body)?.[0].split('\n').length ?? 1
  if (/\n\s*\n/.test(body.trim()) || body.trim() === '')
    throw new ContentError({ path, line: bodyLine }, 'below the head stands one paragraph: what home says first')
  const texts = Object.keys(head).map((key) => [key, textOf(file, key as keyof typeof head, values)])
  return {
    ...(Object.fromEntries(texts) as Record<keyof typeof head, string>),
    lang: head.lang ?? DEFAULT_LANG,
    lead: renderLine(body.trim(), { path, line: bodyLine + blankLines - 1 }, values),
  }
}

function readQuestions(folder: string | undefined, values: Values): Questions {
  const file = readContentFile(folder, 'questions')
  const { head, path, body, bodyLine } = file
  const { intro, parts } = renderParts(body, { path, line: bodyLine }, values)
  if (intro !== '') throw new ContentError({ path, line: bodyLine }, 'text before the first question (## …)')
  if (parts.length === 0) throw new ContentError({ path, line: bodyLine }, 'there is no question (## …)')
  const unanswered = parts.find(({ html }) => html === '')
  if (unanswered) throw new ContentError({ path, line: unanswered.line }, 'this question has no answer')
  return {
    title: textOf(file, 'title', values)!,
    lang: head.lang ?? DEFAULT_LANG,
    entries: parts.map(({ title, html }) => ({ title, html })),
  }
}

function readLegal(folder: string | undefined, name: 'terms' | 'privacy' | 'cookies', ofStore: Values): LegalText {
  const file: ContentFile<'privacy'> = readContentFile(folder, name)
  const { head, path, body, bodyLine } = file
  const { version, effective, summary, lang = DEFAULT_LANG } = head
  const values = {
    ...ofStore,
    ...(version && { version }),
    ...(effective && { effective: dayName.format(new Date(effective)) }),
  }
  const { intro, parts } = renderParts(body, { path, line: bodyLine }, values)
  if (parts.length === 0) throw new ContentError({ path, line: bodyLine }, 'there is no section (## …)')
  const title = textOf(file, 'title', values)!
  return {
    title,
    crumb: textOf(file, 'crumb', values) ?? title,
    version,
    lang,
    summary: summary ? renderLine(summary, { path, line: file.lineOf('summary') }, values) : '',
    contents: parts.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join(''),
    body: intro + parts.map(sectionOf).join(''),
  }
}

const sectionOf = ({ id, title, html }: Part) =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>${html}</section>`
