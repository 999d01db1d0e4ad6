export const CATEGORIES = ['Art', 'Moto', 'Animals', 'Robots', 'Cube', 'Tube', 'Cyber', 'Anime'] as const
export type Category = (typeof CATEGORIES)[number]

export type SeriesName =
  | 'birds'
  | 'boxes'
  | 'cubes'
  | 'flow'
  | 'glass'
  | 'glitch'
  | 'koi'
  | 'moths'
  | 'moto'
  | 'neon'
  | 'paper-hills'
  | 'parade'
  | 'pipes'
  | 'portraits'
  | 'roads'
  | 'robots'
  | 'skies'
  | 'tubes'
  | 'wash'
  | 'wheels'

/**
 * Works of one kind. The pictures are `pictures/works/<name>-<1 … 12>.webp`, in the order of `works` and of `euros`.
 */
export type Series = {
  name: SeriesName
  category: Category
  euros: readonly number[]
  works: readonly (readonly [title: string, text: string])[]
}
