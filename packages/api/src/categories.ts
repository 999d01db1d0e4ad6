/** The categories of items, in the order of the filter. Without imports, because browsers load it. */
export const categories = ['Art', 'Moto', 'Animals', 'Robots', 'Cube', 'Tube', 'Cyber', 'Anime'] as const
