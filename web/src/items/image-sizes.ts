/** A work in the shared grid takes 82 % of its frame's width at most. */
export const gridSizes = '(min-width: 1280px) 18vw, (min-width: 900px) 25vw, (min-width: 560px) 37vw, 74vw'

/** The work on its own page. A hair less than it takes on a phone: the next width weighs twice as much for no visible gain. */
export const artSizes = '(min-width: 900px) 56vw, 88vw'
