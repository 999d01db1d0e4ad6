import { toEuros } from '@nifty/api/shapes'
import { getMarketStatistics } from '@nifty/api/statistics'
import { type Figures, readStatistics } from '@nifty/service-kit/database/statistics'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { marketFigures, PRICE_BANDS, usernamesOf } from './statistics.store.ts'

const LISTED_ARTISTS = 20

type Sold = { sold: number; cents: number }

/** For operators; only on the internal port. */
export const statisticsRoutes: FastifyPluginAsync<Pick<Deps, 'db'>> = async (app, { db }) => {
  registerRoute(app, getMarketStatistics, async ({ query }) => {
    const periods = (await readStatistics(db, query, marketFigures)).map(({ figures, ...period }) => ({
      ...period,
      minted: Number(figures.minted ?? 0),
      listed: Number(figures.listed ?? 0),
      favourites: Number(figures.favourites ?? 0),
      all: soldOf(figures.all ?? {}),
      categories: groupsOf(figures.categories),
      bands: groupsOf(figures.bands),
      artists: groupsOf(figures.artists).slice(0, LISTED_ARTISTS),
    }))
    const names = await usernamesOf(db, [...new Set(periods.flatMap(({ artists }) => artists.map(({ word }) => word)))])
    return {
      periods: periods.map(({ all, categories, bands, artists, ...period }) => ({
        ...period,
        ...view(all),
        categories: categories.map(({ word, ...sold }) => ({ category: word, ...view(sold) })),
        priceBands: bands
          .toSorted((one, other) => Number(one.word) - Number(other.word))
          .map(({ word, ...sold }) => ({ ...bandOf(Number(word)), ...view(sold) })),
        artists: artists.map(({ word, ...sold }) => ({
          userId: word,
          username: names.get(word) ?? null,
          ...view(sold),
        })),
      })),
    }
  })
}

/** By its place, from 0 on. */
function bandOf(place: number) {
  const highest = PRICE_BANDS[place]
  return { over: toEuros(PRICE_BANDS[place - 1] ?? 0), upTo: highest === undefined ? null : toEuros(highest) }
}
const view = ({ sold, cents }: Sold) => ({ sold, turnover: toEuros(cents) })
const soldOf = (figures: Figures | number): Sold => {
  const { sold = 0, cents = 0 } = figures as Partial<Sold>
  return { sold, cents }
}

/** By turnover, the highest first. */
const groupsOf = (groups: Figures | number | undefined) =>
  Object.entries((groups ?? {}) as Figures)
    .map(([word, figures]) => ({ word, ...soldOf(figures) }))
    .sort((one, other) => other.cents - one.cents || (one.word < other.word ? -1 : 1))
