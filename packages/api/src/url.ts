/**
 * An absolute or, with a base, relative URL; undefined for another text. `URL.parse` is too new for the promised
 * browsers.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
