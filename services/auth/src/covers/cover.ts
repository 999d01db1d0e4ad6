/** Widths of a cover's files, in pixels: phones, tablets and desktops at their usual densities. The API lists them too. */
export const coverWidths = [640, 1120, 1680, 2400] as const
export const WIDEST_COVER = 2400

/** Width divided by height. Pages show a band of it that is at least as wide. */
export const COVER_RATIO = 3

export const coverSuffix = (width: number | string) => `-${width}`
export const coverSuffixes = coverWidths.map(coverSuffix)

export const MAX_COVER_BYTES = 10 * 1024 * 1024

/** True for the name of a cover; excludes paths. */
export const isCoverName = (name: string) => /^[0-9a-f]{32}\.webp$/.test(name)
