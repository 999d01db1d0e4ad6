import { exhibitionLimits } from '@nifty/api/exhibition-limits'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { findItems } from '../items/item.store.ts'
import { itemNotFound } from '../items/item.ts'
import { deleteSeries, findSeriesOf, insertSeries, lockSeriesOf, updateSeries } from './exhibition.store.ts'
import {
  type ExhibitionForm,
  exhibitionNotFound,
  notTheCreator,
  parseExhibition,
  slugsOf,
  tooManySeries,
} from './exhibition.ts'

/** Makes a series of the artist's own works. Throws 400, 403, 404 for an unknown work, or 429. */
export async function createSeries(trx: Transaction<Database>, artistId: string, form: ExhibitionForm) {
  const parsed = await parseSeries(trx, artistId, form)
  if ((await lockSeriesOf(trx, artistId)) >= exhibitionLimits.seriesOfArtist) throw tooManySeries()
  const id = await insertSeries(trx, artistId, { ...parsed, slugs: slugsOf(parsed.title) })
  return (await findSeriesOf(trx, artistId, id))[0]!
}

/** Throws as `createSeries`, and 404 for a series of somebody else. */
export async function changeSeries(
  trx: Transaction<Database>,
  { id, artistId, form }: { id: string; artistId: string; form: ExhibitionForm },
) {
  const parsed = await parseSeries(trx, artistId, form)
  await lockSeriesOf(trx, artistId)
  if (!(await updateSeries(trx, { id, artistId, ...parsed }))) throw exhibitionNotFound()
  return (await findSeriesOf(trx, artistId, id))[0]!
}

/** Throws 404 for a series of somebody else. */
export async function removeSeries(trx: Transaction<Database>, series: { id: string; artistId: string }) {
  if (!(await deleteSeries(trx, series))) throw exhibitionNotFound()
}

async function parseSeries(trx: Transaction<Database>, artistId: string, form: ExhibitionForm) {
  const parsed = parseExhibition(form)
  const items = await findItems(trx, parsed.itemIds)
  if (items.length < parsed.itemIds.length) throw itemNotFound()
  if (items.some(({ creatorId }) => creatorId !== artistId)) throw notTheCreator()
  return parsed
}
