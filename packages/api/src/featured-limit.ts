/** As many works as the home page features. */
export const MAX_FEATURED = 6
