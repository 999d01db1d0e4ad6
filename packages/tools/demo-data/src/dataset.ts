import { families } from './art/families.ts'
import { createRandom } from './art/random.ts'
import type { WorkOfArt } from './art/render.ts'
import { COLLECTORS, CREATORS, type Creator, type Person } from './people.ts'
import { cities, faces, signals, summers } from './works/after-dark.ts'
import { moths, ponds, songbirds } from './works/animals.ts'
import { currents, inks, papers, windows } from './works/art.ts'
import { machines, nightRides, rotations } from './works/moto.ts'
import { companies, sitters } from './works/robots.ts'
import { blocks, knots, pipework, squares } from './works/solids.ts'
import type { Category, Series } from './works/works.ts'

/** A work to mint. `creator` is a username. Works that are not for sale have a price as well. */
export type Work = WorkOfArt & {
  title: string
  text: string
  category: Category
  creator: string
  priceCents: number
  forSale: boolean
}

export type Dataset = { creators: readonly Creator[]; collectors: readonly Person[]; works: readonly Work[] }

/** In the order of minting: the first eight are of eight categories. */
const SERIES: readonly Series[] = [
  currents,
  machines,
  moths,
  sitters,
  blocks,
  knots,
  cities,
  summers,
  inks,
  nightRides,
  ponds,
  companies,
  squares,
  pipework,
  signals,
  faces,
  papers,
  rotations,
  songbirds,
  windows,
]

const WORKS_PER_SERIES = 12
/** Works of a series by the artist who specialises in it; the others are by the artists without a specialty. */
const BY_SPECIALIST = 9

/** In cents, ascending. Most works are affordable. */
const PRICES = [
  500, 900, 1200, 1500, 1900, 2400, 2900, 3500, 4200, 4900, 5500, 6500, 7500, 8900, 9900, 12000, 14500, 18000, 22000,
  26000, 32000, 38000, 45000, 56000, 68000, 85000, 110000, 145000, 190000, 250000,
]

/** Returns the same data every time. `works` (1 … 240): only the first ones, and only their creators. */
export function demoDataset({ works: wanted = SERIES.length * WORKS_PER_SERIES }: { works?: number } = {}): Dataset {
  const works = createWorks().slice(0, wanted)
  const shown = new Set(works.map((work) => work.creator))
  return { creators: CREATORS.filter(({ username }) => shown.has(username)), collectors: COLLECTORS, works }
}

const FEATURED_WORKS = 6

/** The first works for sale of different artists that can be drawn in large: minted first, and featured on the home page. */
export function featuredWorks(works: readonly Work[]): Work[] {
  const artists = new Map<string, Work>()
  for (const work of works)
    if (work.forSale && !families[work.family].raster && !artists.has(work.creator)) artists.set(work.creator, work)
  return [...artists.values()].slice(0, FEATURED_WORKS)
}

/** Takes one work of every series in turn, so that neighbouring works in the market are by different artists. */
function createWorks(): Work[] {
  const random = createRandom('prices')
  const generalists = CREATORS.filter(({ specialty }) => !specialty)
  const works: Work[] = []
  for (let round = 0; round < WORKS_PER_SERIES; round++)
    SERIES.forEach(({ family, category, works: titles }, place) => {
      const [title, text] = titles[round]!
      const specialist = CREATORS.find(({ specialty }) => specialty === family)!
      const creator = round < BY_SPECIALIST ? specialist : generalists[(place * 3 + round) % generalists.length]!
      const rank = Math.floor(random.unit() ** 1.35 * PRICES.length)
      works.push({
        title,
        text,
        category,
        family,
        seed: round + 1,
        creator: creator.username,
        priceCents: PRICES[rank]!,
        forSale: (place + round) % 5 !== 3,
      })
    })
  return works
}
