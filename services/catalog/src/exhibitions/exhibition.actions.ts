import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { findItems } from '../items/item.store.ts'
import { itemNotFound } from '../items/item.ts'
import { deleteExhibition, saveExhibition } from './exhibition.store.ts'
import {
  type ExhibitionForm,
  exhibitionNotFound,
  parseDay,
  parseExhibition,
  parseSlug,
  slugOfSeries,
} from './exhibition.ts'

/** Makes or replaces an exhibition. Throws 400, 404 for an unknown work, or 409 when a series has the address. */
export async function setExhibition(
  trx: Transaction<Database>,
  form: ExhibitionForm & { slug: string; opensOn: string },
  operatorReason: OperatorReason,
) {
  const slug = parseSlug(form.slug)
  const parsed = { ...parseExhibition(form), slug, opensOn: parseDay(form.opensOn) }
  if ((await findItems(trx, parsed.itemIds)).length < parsed.itemIds.length) throw itemNotFound()
  if (!(await saveExhibition(trx, parsed))) throw slugOfSeries()
  await recordOperatorAction(trx, { action: 'set-exhibition', subject: slug, ...operatorReason })
}

/** Removes an exhibition or a series. Throws 404. */
export async function removeExhibition(trx: Transaction<Database>, slug: string, operatorReason: OperatorReason) {
  if (!(await deleteExhibition(trx, slug))) throw exhibitionNotFound()
  await recordOperatorAction(trx, { action: 'remove-exhibition', subject: slug, ...operatorReason })
}
