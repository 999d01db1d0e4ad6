/** Bounds of exhibitions and series, which browsers load; lengths in characters. */
export const exhibitionLimits = { title: 120, description: 5_000, works: 100, seriesOfArtist: 50 } as const
