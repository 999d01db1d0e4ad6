/**
 * Places of a pagination: with gaps, the first and the last page, and the present one with a neighbour on each side.
 */
const PLACES = 7

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** The pages that a pagination names, in order: all, or as many as there are places for; `gap` for those left out. */
export function pageNumbers(page: number, pages: number): (number | 'gap')[] {
  if (pages <= PLACES) return range(1, pages)
  if (page < PLACES - 2) return [...range(1, PLACES - 2), 'gap', pages]
  if (page > pages - (PLACES - 3)) return [1, 'gap', ...range(pages - (PLACES - 3), pages)]
  return [1, 'gap', page - 1, page, page + 1, 'gap', pages]
}
