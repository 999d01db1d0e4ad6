import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Resolves when no colour or place is on its way to another one; what repeats for ever is not waited for. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect, playState }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished))`

/** Accessibility violations of a page, or of what matches a selector, as "rule: element". */
export async function findings(page: Page, selector?: string): Promise<string[]> {
  if (page.frames().length > 1) throw new Error(`${page.url()} has frames, which are not checked`)
  // A document that was checked before has it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const context = selector ? JSON.stringify(selector) : 'document'
  return page.evaluate(`${settled}
    .then(() => axe.run(${context}, { resultTypes: ['violations'] }))
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}
