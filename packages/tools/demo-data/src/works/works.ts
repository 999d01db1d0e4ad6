import type { FamilyName } from '../art/families.ts'

export const CATEGORIES = ['Art', 'Moto', 'Animals', 'Robots', 'Cube', 'Tube', 'Cyber', 'Anime'] as const
export type Category = (typeof CATEGORIES)[number]

/** Titles and descriptions for images of one family. */
export type Series = {
  family: FamilyName
  category: Category
  works: readonly (readonly [title: string, text: string])[]
}
