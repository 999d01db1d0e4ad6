/**
 * Width and height of an SVG's `viewBox`; undefined for another text, one without, and one whose end is missing. What
 * stands before the element, such as a document type, is passed over.
 */
export function sizeOfSvg(text: string): { width: number; height: number } | undefined {
  const root = text.slice(startOfRoot(text))
  const [tag = '', attributes = ''] = /^<svg((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/.exec(root) ?? []
  const isWhole = tag.endsWith('/>') || /<\/svg\s*>\s*(<!--(?:(?!-->)[\s\S])*-->\s*)?$/.test(root)
  const [, box = ''] = /\sviewBox\s*=\s*["']([^"']+)["']/.exec(attributes) ?? []
  const [, , width = 0, height = 0] = box
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const isSize = [width, height].every((side) => side > 0 && Number.isFinite(side))
  return isWhole && isSize && Number.isFinite(width / height) ? { width, height } : undefined
}

/** Behind byte order mark, spaces, declaration, comments and document type. */
function startOfRoot(text: string): number {
  let at = 0
  for (;;) {
    at += /^[\uFEFF\s]*/.exec(text.slice(at))![0].length
    const end = endOfProlog(text, at)
    if (end === undefined) return at
    at = end
  }
}

function endOfProlog(text: string, at: number): number | undefined {
  const after = (mark: string) => {
    const found = text.indexOf(mark, at)
    return found < 0 ? text.length : found + mark.length
  }
  if (text.startsWith('<?', at)) return after('?>')
  if (text.startsWith('<!--', at)) return after('-->')
  if (!/^<!doctype\s/i.test(text.slice(at, at + 11))) return undefined
  // Declarations of its own stand in brackets.
  const [bracket, end] = [text.indexOf('[', at), text.indexOf('>', at)]
  return bracket >= 0 && bracket < end ? after(']>') : after('>')
}
