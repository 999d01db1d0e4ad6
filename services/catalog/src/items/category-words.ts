import { categories } from '@nifty/api/categories'

/** Words that people search for and that few works of the category have in their texts. */
const synonyms: Record<(typeof categories)[number], string[]> = {
  Art: ['artwork', 'painting'],
  Moto: ['motorbike', 'motorcycle'],
  Animals: ['creature', 'wildlife'],
  Robots: ['android', 'machine'],
  Cube: ['cubic', 'geometry'],
  Tube: ['pipe'],
  Cyber: ['cyberpunk', 'future'],
  Anime: ['manga', 'comic'],
}

/** The category's name and its synonyms. */
export function categoryWords(category: string): string[] {
  const known = categories.find((name) => name === category)
  return known ? [category, ...synonyms[known]] : [category]
}
