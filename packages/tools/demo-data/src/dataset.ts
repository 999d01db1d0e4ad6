import { COLLECTORS, CREATORS, type Creator, type Person } from './people.ts'
import { cities, faces, signals, summers } from './works/after-dark.ts'
import { moths, ponds, songbirds } from './works/animals.ts'
import { currents, inks, papers, windows } from './works/art.ts'
import { machines, nightRides, rotations } from './works/moto.ts'
import { companies, sitters } from './works/robots.ts'
import { blocks, knots, pipework, squares } from './works/solids.ts'
import type { Category, Series } from './works/works.ts'

/**
 * A work to mint. `picture` is the name of its file, without folder and ending; `creator` is a username. Works that are
 * not for sale have a price as well.
 */
export type Work = {
  picture: string
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

/** Returns the same data every time. `works` (1 … 240): only the first ones, and only their creators. */
export function demoDataset({ works: wanted = SERIES.length * WORKS_PER_SERIES }: { works?: number } = {}): Dataset {
  const works = createWorks().slice(0, wanted)
  const shown = new Set(works.map((work) => work.creator))
  return { creators: CREATORS.filter(({ username }) => shown.has(username)), collectors: COLLECTORS, works }
}

/** Works for sale of six artists, whose pictures are 2,400 px on the long side. Their artists have a cover. */
const FEATURED = ['flow-1', 'moto-1', 'moths-1', 'cubes-1', 'skies-1', 'roads-1']

/** The works that are minted first and featured on the home page, in their order. */
export const featuredWorks = (works: readonly Work[]): Work[] =>
  works.filter(({ picture }) => FEATURED.includes(picture))

/** Takes one work of every series in turn, so that neighbouring works in the market are by different artists. */
function createWorks(): Work[] {
  const generalists = CREATORS.filter(({ specialty }) => !specialty)
  const works: Work[] = []
  for (let round = 0; round < WORKS_PER_SERIES; round++)
    SERIES.forEach(({ name, category, euros, works: titles }, place) => {
      const [title, text] = titles[round]!
      const specialist = CREATORS.find(({ specialty }) => specialty === name)!
      const creator = round < BY_SPECIALIST ? specialist : generalists[(place * 3 + round) % generalists.length]!
      works.push({
        title,
        text,
        category,
        picture: `${name}-${round + 1}`,
        creator: creator.username,
        priceCents: euros[round]! * 100,
        forSale: (place + round) % 5 !== 3,
      })
    })
  return works
}
