/** Widths of a cover's files in pixels, as `getCover` lists them. */
const coverWidths = [640, 1120, 1680, 2400]

/** The sources of a cover, for `img`. */
export const coverImage = (cover: string) => ({
  src: `${cover}?w=1120`,
  srcSet: coverWidths.map((width) => `${cover}?w=${width} ${width}w`).join(', '),
})
