const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escaped markup. */
export type Html = { html: string }
type Part = string | number | Html | Html[] | false | null | undefined

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!)

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (Array.isArray(part)) return part.map(render).join('')
  return typeof part === 'object' ? part.html : escaped(String(part))
}

/** A template that escapes every value except `Html`. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.reduce((result, text, index) => result + render(parts[index - 1]) + text),
})
