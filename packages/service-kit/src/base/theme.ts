/** Tokens of `web/src/ui/tokens.css` that are one colour. */
const colours =
  `background surface surface-raised border border-strong text text-muted accent accent-bright danger success
  sheet sheet-border sheet-text sheet-text-muted`.split(/\s+/)
/** The others; those of motion are not among them, because reduced motion sets them. */
const others = `font-display font-text size-hero size-title size-section size-lead size-small size-tiny space-1 space-2
  space-3 space-4 space-5 space-6 section gutter page-width spotlight radius radius-large bar-height`.split(/\s+/)
export const themeTokens = [...colours, ...others]

/** Those of `tokens.css` that share images, icons, mails and the manifest have without a theme: #rrggbb. */
export const defaultColours = { background: '#0b0b0d', text: '#f3f1ec', 'text-muted': '#a3a3ad', accent: '#d9ff52' }

/** Values of tokens by their names, without `--`. */
export type Theme = Record<string, string>

const colour = /^#[0-9a-f]{6}$/i
/** Numbers, names, strings and functions, none of which loads anything. */
const value = /^[\p{L}\p{N}_\s#%.,/"'+*()-]+$/u
const comment = /\/\*|\*\//
const string = /"[^"\n\r\f]*"|'[^'\n\r\f]*'/g
const loading = /(url|src|image|image-set|cross-fade|element|attr|env|paint)\s*\(/i

/**
 * The tokens of a theme: one rule `:root { --accent: #3355ff; … }` with tokens of the front end, and comments. Throws
 * an error with file and line for everything else.
 */
export function parseTheme(css: string, file: string): Theme {
  const fail = (at: number, problem: string) => {
    throw new Error(`${file}:${css.slice(0, at).split('\n').length}: ${problem}`)
  }
  // As long as before: positions stay those of the file.
  const code = css.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const rule = /^\s*:root\s*\{([^{}]*)\}\s*$/.exec(code)
  if (!rule) {
    const second = code.indexOf('}') + 1
    const isFirst = !/^\s*:root\s*\{[^{}]*\}/.test(code)
    return fail(
      isFirst ? code.search(/\S|$/) : second + code.slice(second).search(/\S|$/),
      'a theme is one rule :root { … }',
    )
  }
  const tokens: Theme = {}
  let at = code.indexOf('{') + 1
  for (const declaration of rule[1]!.split(';')) {
    const start = at + declaration.search(/\S|$/)
    at += declaration.length + 1
    if (!declaration.trim()) continue
    const [, name, written = ''] = /^\s*--([\w-]+)\s*:\s*([\s\S]*?)\s*$/.exec(declaration) ?? []
    if (!name) fail(start, `"${declaration.trim()}" is no token of the front end`)
    else if (!themeTokens.includes(name)) fail(start, `--${name} is no token that a theme may set`)
    else if (colours.includes(name) ? !colour.test(written) : !isValue(written))
      fail(start, `--${name} cannot be "${written}"${colours.includes(name) ? ': a colour is #rrggbb' : ''}`)
    else tokens[name] = written
  }
  return tokens
}

/** Nothing in it stays open, which would take what follows in the style. */
function isValue(written: string): boolean {
  const withoutStrings = written.replace(string, ' ')
  return (
    value.test(written) &&
    !loading.test(written) &&
    !comment.test(written) &&
    !/["']/.test(withoutStrings) &&
    isBalanced(withoutStrings)
  )
}

function isBalanced(written: string): boolean {
  let depth = 0
  for (const letter of written) {
    if (letter === '(') depth++
    if (letter === ')' && --depth < 0) return false
  }
  return depth === 0
}
