/** One line of a comment, and where it stands. */
export type CommentLine = { line: number; text: string }

/** The comments of a file; all of a Markdown file. The kind of file decides what a comment is. */
export function commentsOf(file: string, text: string): CommentLine[] {
  const lines = text.split('\n')
  if (file.endsWith('.md')) return lines.map((line, index) => ({ line: index + 1, text: line }))
  if (/\.(ya?ml|tpl)$/.test(file)) return matching(lines, /(?:^|\s)#(.*)$/)
  if (file.endsWith('.sql')) return matching(lines, /--(.*)$/)
  return commentsOfCode(text)
}

const matching = (lines: string[], pattern: RegExp): CommentLine[] =>
  lines.flatMap((line, index) => {
    const found = pattern.exec(line)
    return found ? [{ line: index + 1, text: found[1]! }] : []
  })

/** What a slash follows when it begins a regular expression instead of dividing. */
const beforeRegExp = /[=(,:!&|?{};[]/

/** Comments of TypeScript, CSS and Solidity: everything else is text in quotes, a regular expression or code. */
function commentsOfCode(text: string): CommentLine[] {
  const comments: CommentLine[] = []
  let at = 0
  let line = 1
  let previous = ''
  const skipTo = (end: number) => {
    line += text.slice(at, end).split('\n').length - 1
    at = end
  }

  while (at < text.length) {
    const character = text[at]!
    const pair = text.slice(at, at + 2)
    if (pair === '//') {
      const end = endOf(text, '\n', at)
      comments.push({ line, text: text.slice(at + 2, end) })
      skipTo(end)
    } else if (pair === '/*') {
      const end = endOf(text, '*/', at + 2)
      const parts = text.slice(at + 2, end).split('\n')
      comments.push(...parts.map((part, index) => ({ line: line + index, text: part.replace(/^\s*\*/, '') })))
      skipTo(end + 2)
    } else if (`'"\``.includes(character)) {
      skipTo(endOfQuoted(text, at, character))
      previous = character
    } else if (character === '/' && beforeRegExp.test(previous)) {
      skipTo(endOfRegExp(text, at))
      previous = '/'
    } else {
      if (!/\s/.test(character)) previous = character
      skipTo(at + 1)
    }
  }
  return comments
}

const endOf = (text: string, what: string, from: number) => {
  const found = text.indexOf(what, from)
  return found < 0 ? text.length : found
}

function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote || (text[at] === '\n' && quote !== '`')) return at + 1
  }
  return text.length
}

function endOfRegExp(text: string, from: number): number {
  let isInClass = false
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') isInClass = true
    else if (text[at] === ']') isInClass = false
    else if (text[at] === '/' && !isInClass) return at + 1
  }
  return endOf(text, '\n', from)
}
