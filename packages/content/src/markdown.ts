import MarkdownIt, { type Token } from 'markdown-it'
import { ContentError } from './content-error.ts'

/** Where a piece of Markdown stands: the file, and the line of its first one, counted from 1. */
type Place = { path: string; line: number }

/** What `{{name}}` stands for. */
export type Values = Record<string, string>

/** A part of a text under a heading of the second level, or what stands before the first one. */
export type Part = { id: string; title: string; html: string; line: number }

/** HTML in Markdown is text. Which links there may be is decided below, with a line for those that may not. */
const markdown = new MarkdownIt({ html: false })
markdown.validateLink = () => true
// A line break of the file is a space of the text.
markdown.renderer.rules.softbreak = () => ' '
markdown.renderer.rules.table_open = () => '<div class="text-table"><table>\n'
markdown.renderer.rules.table_close = () => '</table></div>\n'

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g
/** As the parser encodes it in the address of a link, or as it is typed there. */
const encodedPlaceholder = /%7B%7B(.*?)%7D%7D/gi

/** Throws a ContentError for a placeholder that has no value. */
export function checkPlaceholders(text: string, { path, line }: Place, values: Values) {
  text.split('\n').forEach((each, at) => {
    for (const [all, name] of each.matchAll(placeholder))
      if (!Object.hasOwn(values, name!))
        throw new ContentError(
          { path, line: line + at },
          `unknown placeholder ${all}: known are ${Object.keys(values).join(', ')}`,
        )
    if (/\{\{|\}\}/.test(each.replace(placeholder, '')))
      throw new ContentError({ path, line: line + at }, 'a placeholder is not closed, such as {{storeName}}')
  })
}

export const { escapeHtml } = markdown.utils

/** Text with its placeholders filled in. */
export const fill = (text: string, values: Values) => text.replace(placeholder, (_all, name) => values[name]!)

/** Renders one line of Markdown as HTML without a paragraph. Throws a ContentError. */
export function renderLine(text: string, place: Place, values: Values): string {
  checkPlaceholders(text, place, values)
  const tokens = markdown.parseInline(text, {})
  finish(tokens, place, values)
  return markdown.renderer.render(tokens, markdown.options, {}).trim()
}

/**
 * Renders Markdown by its headings of the second level. `intro` is what stands before the first one. An id is that of
 * `## Heading {#id}`, else made of the heading. Throws a ContentError.
 */
export function renderParts(text: string, place: Place, values: Values): { intro: string; parts: Part[] } {
  const tokens = parse(text, place, values)
  const starts = tokens.flatMap(({ type, tag }, at) => (type === 'heading_open' && tag === 'h2' ? [at] : []))
  const ids = new Set<string>()
  const parts = starts.map((start, at): Part => {
    const heading = plainText(tokens[start + 1]!)
    const [, title = '', given] = /^(.*?)(?:\s*\{#([a-z0-9-]+)\})?$/.exec(heading)!
    const line = lineOf(tokens[start]!, place)
    const id = given ?? slug(title)
    if (id === '') throw new ContentError({ path: place.path, line }, 'this heading is empty')
    if (ids.has(id))
      throw new ContentError({ path: place.path, line }, `two headings have the id ${id}: add another one as {#id}`)
    ids.add(id)
    return { id, title, line, html: render(tokens.slice(start + 3, starts[at + 1])) }
  })
  return { intro: render(tokens.slice(0, starts[0])), parts }
}

function parse(text: string, place: Place, values: Values): Token[] {
  checkPlaceholders(text, place, values)
  const tokens = markdown.parse(text, {})
  const headings = tokens.filter(({ type }) => type === 'heading_open')
  // The parts of a text are cut at its headings.
  const inside = headings.find(({ level }) => level > 0)
  if (inside)
    throw new ContentError({ path: place.path, line: lineOf(inside, place) }, 'a heading in a list or quotation')
  const underlined = headings.find(({ markup }) => markup === '-' || markup === '=')
  if (underlined)
    throw new ContentError(
      { path: place.path, line: lineOf(underlined, place) },
      'the line of dashes below makes this a heading: leave a line between them, or write ##',
    )
  const title = tokens.find(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  if (title)
    throw new ContentError(
      { path: place.path, line: lineOf(title, place) },
      'the title of the head is the only heading of the first level: use ##',
    )
  finish(tokens, place, values)
  labelCells(tokens)
  return tokens
}

const render = (tokens: Token[]) => markdown.renderer.render(tokens, markdown.options, {}).trim()

const lineOf = ({ map }: Token, { line }: Place) => line + (map?.[0] ?? 0)

/** Fills in the placeholders, which no Markdown is read in, and opens the links to other sites in a new tab. */
function finish(tokens: Token[], place: Place, values: Values) {
  for (const token of tokens) {
    let line = lineOf(token, place)
    for (const child of token.children ?? []) {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line++
      if (child.type === 'image') throw new ContentError({ path: place.path, line }, 'pictures cannot be shown here')
      const hint = child.attrGet('title')
      if (hint !== null) {
        checkPlaceholders(String(hint), { path: place.path, line }, values)
        child.attrSet('title', fill(String(hint), values))
      }
      if (child.type === 'link_open') finishLink(child, { path: place.path, line }, values)
      child.content = fill(child.content, values)
    }
    token.content = fill(token.content, values)
  }
}

function finishLink(link: Token, place: Place, values: Values) {
  const href = String(link.attrGet('href')).replace(encodedPlaceholder, (_all, encoded: string) => {
    const name = decodeURIComponent(encoded).trim()
    checkPlaceholders(`{{${name}}}`, place, values)
    return encodeURIComponent(values[name]!).replaceAll('%40', '@')
  })
  const isElsewhere = /^https?:\/\//i.test(href)
  const isOwn = !/^[a-z][a-z0-9+.-]*:/i.test(href) && !href.startsWith('//')
  if (!isElsewhere && !isOwn && !/^mailto:/i.test(href))
    throw new ContentError(place, `a link must begin with https://, http://, mailto: or /: ${href}`)
  link.attrSet('href', href)
  if (!isElsewhere) return
  link.attrSet('target', '_blank')
  link.attrSet('rel', 'noopener noreferrer')
}

const plainText = ({ children }: Token) => (children ?? []).map(({ content }) => content).join('')

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** The first cell of a row is its heading; the others name their column, which a narrow screen shows before them. */
function labelCells(tokens: Token[]) {
  let columns: string[] = []
  let column = 0
  tokens.forEach((token, at) => {
    if (token.type === 'table_open') columns = []
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open') {
      // Alignments would be styles, which the content security policy forbids.
      token.attrs = [['scope', 'col']]
      columns.push(plainText(tokens[at + 1]!))
    }
    if (token.type === 'td_open') {
      const isFirst = column++ === 0
      token.attrs = isFirst ? [['scope', 'row']] : [['data-label', columns[column - 1] ?? '']]
      if (!isFirst) return
      token.tag = 'th'
      tokens[at + 2]!.tag = 'th'
    }
  })
}
