/**
 * Places to the right of the first visible slide (negative: to the left). The ring is cut two places left of the
 * window, so that a slide jumps from one end to the other only where nobody sees it.
 */
export function offsetOf(index: number, at: number, count: number): number {
  const right = (((index - at) % count) + count) % count
  return right > count - 2 ? right - count : right
}
