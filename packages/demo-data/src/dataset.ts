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

/** What hangs: everything that minting a work needs. `creator` is a username; a price is kept for works not for sale, too. */
export type Work = WorkOfArt & {
  title: string
  text: string
  category: Category
  creator: string
  priceCents: number
  forSale: boolean
}

export type Exhibition = { creators: readonly Creator[]; collectors: readonly Person[]; works: readonly Work[] }

/** In the order of hanging: the first eight are of eight categories. */
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

const PER_SERIES = 12
const AT_HOME = 9

/** Most works are affordable, a few are not: cents, dearest last. */
const PRICES = [
  500, 900, 1200, 1500, 1900, 2400, 2900, 3500, 4200, 4900, 5500, 6500, 7500, 8900, 9900, 12000, 14500, 18000, 22000,
  26000, 32000, 38000, 45000, 56000, 68000, 85000, 110000, 145000, 190000, 250000,
]

/** The same exhibition every time; `works` (1 … 240) takes the first so many, and only the creators who show in it. */
export function exhibition({ works: wanted = SERIES.length * PER_SERIES }: { works?: number } = {}): Exhibition {
  const works = hang().slice(0, wanted)
  const shown = new Set(works.map((work) => work.creator))
  return { creators: CREATORS.filter(({ username }) => shown.has(username)), collectors: COLLECTORS, works }
}

/** Round after round, one work of every series, so that no wall shows the same hand twice. */
function hang(): Work[] {
  const random = createRandom('prices')
  const guests = CREATORS.filter(({ home }) => !home)
  const works: Work[] = []
  for (let round = 0; round < PER_SERIES; round++)
    SERIES.forEach(({ family, category, works: titles }, place) => {
      const [title, text] = titles[round]!
      const host = CREATORS.find(({ home }) => home === family)!
      const creator = round < AT_HOME ? host : guests[(place * 3 + round) % guests.length]!
      const dear = Math.floor(random.unit() ** 1.35 * PRICES.length)
      works.push({
        title,
        text,
        category,
        family,
        seed: round + 1,
        creator: creator.username,
        priceCents: PRICES[dear]!,
        forSale: (place + round) % 5 !== 3,
      })
    })
  return works
}
