/**
 * Position of a slide relative to the first visible one; negative: to the left. Slides wrap around two positions left
 * of the visible ones, so that the jump from one end to the other is never visible.
 */
export function offsetOf(index: number, at: number, count: number): number {
  const right = (((index - at) % count) + count) % count
  return right > count - 2 ? right - count : right
}
