import { ContentError } from './content-error.ts'

/** The keys that the head of a file may have. */
export type Keys = Record<string, 'required' | 'optional'>

export type Head<K extends Keys> = { [Key in keyof K]: K[Key] extends 'required' ? string : string | undefined }

/** A file: the values of its head, its Markdown, and the lines where they stand, counted from 1. */
export type Parsed<K extends Keys> = {
  path: string
  head: Head<K>
  lineOf: (key: keyof K & string) => number
  body: string
  bodyLine: number
}

const FENCE = '---'

const patterns: Record<string, { pattern: RegExp; what: string }> = {
  version: { pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, what: 'letters, digits, dots and dashes, at most 40' },
  effective: { pattern: /^\d{4}-\d{2}-\d{2}$/, what: 'a day such as 2026-11-26' },
  lang: { pattern: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, what: 'a language such as de' },
}

/**
 * Parses the head of a file, lines of `key: value` between two lines of `---`; a value may stand in quotes. Throws a
 * ContentError.
 */
export function parseHead<K extends Keys>({ path, text, keys }: { path: string; text: string; keys: K }): Parsed<K> {
  const lines = text.split('\n')
  if (lines[0]?.trimEnd() !== FENCE)
    throw new ContentError({ path, line: 1 }, `the head is missing: the file begins with ${FENCE}, title: …, ${FENCE}`)
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === FENCE)
  if (end < 0) throw new ContentError({ path, line: 1 }, `the head is not closed: a line ${FENCE} is missing`)
  const head = new Map<string, { content: string; line: number }>()
  lines.slice(1, end).forEach((text, at) => {
    const line = at + 2
    if (text.trim() === '') return
    const [, key = '', value = ''] = /^(\w+): *(.*?) *$/.exec(text) ?? []
    if (!Object.hasOwn(keys, key)) {
      const known = `known are ${Object.keys(keys).join(', ')}`
      throw new ContentError({ path, line }, key ? `unknown key ${key}: ${known}` : `this is no line "key: value"`)
    }
    if (head.has(key)) throw new ContentError({ path, line }, `${key} is named twice`)
    const content = /^(["'])((?:(?!\1).)*)\1$/.exec(value)?.[2] ?? value
    if (content === '') throw new ContentError({ path, line }, `${key} is empty`)
    const rule = patterns[key]
    if (rule && !(rule.pattern.test(content) && isDayWhere(key, content)))
      throw new ContentError({ path, line }, `${key} must be ${rule.what}`)
    head.set(key, { content, line })
  })
  const missing = Object.keys(keys).find((key) => keys[key] === 'required' && !head.has(key))
  if (missing) throw new ContentError({ path, line: end + 1 }, `${missing} is missing in the head`)
  return {
    path,
    head: Object.fromEntries([...head].map(([key, { content }]) => [key, content])) as Head<K>,
    lineOf: (key) => head.get(key)?.line ?? 1,
    body: lines.slice(end + 1).join('\n'),
    bodyLine: end + 2,
  }
}

const isDayWhere = (key: string, value: string) =>
  key !== 'effective' || new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
