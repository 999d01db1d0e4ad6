import type { BrowserContext } from 'playwright-core'

/** 80 letters without a space: the longest title that the store accepts. */
export const LONG_WORD = 'untitled_final_render_04_'.repeat(4).slice(0, 76).concat('.png')
const DESCRIPTION = 'A paragraph of a very long description. '.repeat(125)

const texts: Record<string, string> = {
  name: LONG_WORD,
  title: LONG_WORD,
  description: DESCRIPTION,
  firstName: 'عبد الرحمن',
  lastName: 'الموسيقي الأندلسي',
}

/** Replaces titles, descriptions and names in what the API returns by the longest and by others than Latin ones. */
export const withLongTexts = (context: BrowserContext) =>
  context.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const body: unknown = await response.json().catch(() => undefined)
    return body === undefined ? route.fulfill({ response }) : route.fulfill({ response, json: replaced(body) })
  })

function replaced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && texts[key] !== undefined ? texts[key] : replaced(each),
    ]),
  )
}
