import { findItemOwners, findReservations } from '@nifty/api/catalog/internal'
import { checkFinalDeliveries, findTokenOwners } from '@nifty/api/minting/internal'
import { anyOf } from '@nifty/service-kit/database/database'
import { sql } from 'kysely'
import { isAcknowledgedRow } from '../alarms/acknowledgement.ts'
import { undeliveredLines, unexpectedDeliveries } from './deliveries.step.ts'
import { foundOf, withoutOrder } from './intents.step.ts'
import { notOnChain, ownerDifference } from './owners.step.ts'
import { payoutDifferences } from './payouts.step.ts'
import { deleteDifferences, differencesOf, saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'
import { reservationDifferences } from './reservations.step.ts'

const PAGE_ROWS = 100
/** An event may be in transit between two services: these are checked again before they count. */
const CHECKS = 5
const CHECK_AFTER_MS = 3_000

const kinds = ['intent', 'payout', 'line', 'token', 'reservation'] as const
type Kind = (typeof kinds)[number]

/**
 * Compares all open differences again: stores their details, and deletes those that are resolved; `orders` does it for
 * its own.
 */
export const differences: ReconciliationStep = async (context) => {
  const { trx, run } = context
  const { check, kind, after } = parse(run.cursor)
  const page = await differencesOf(trx, kind, { after, limit: PAGE_ROWS })
  const subjects = page.map(({ subject }) => subject)
  const still = new Map((await remaining[kind](context, subjects)).map((each) => [each.subject, each]))
  await saveDifferences(
    trx,
    subjects.flatMap((subject) => still.get(subject) ?? []),
  )
  await deleteDifferences(
    trx,
    kind,
    subjects.filter((subject) => !still.has(subject)),
  )
  if (page.length === PAGE_ROWS)
    return { cursor: format({ check, kind, after: subjects.at(-1)! }), compared: page.length }
  const nextKind = kinds[kinds.indexOf(kind) + 1]
  if (nextKind) return { cursor: format({ check, kind: nextKind, after: '' }), compared: page.length }
  const isOver = check === CHECKS || !(await hasTransient(context))
  return {
    cursor: isOver ? null : format({ check: check + 1, kind: 'line', after: '' }),
    compared: page.length,
    nextPageInMs: isOver ? 0 : CHECK_AFTER_MS,
  }
}

/** Those of the subjects that still differ. */
const remaining: Record<Kind, (context: StepContext, subjects: string[]) => Promise<Difference[]>> = {
  intent: async (context, subjects) => {
    const { trx, processor } = context
    const owned = await trx.selectFrom('orders').select('intentId').where('intentId', '=', anyOf(subjects)).execute()
    const ours = new Set(owned.map(({ intentId }) => intentId))
    const found: Difference[] = []
    for (const id of subjects.filter((subject) => !ours.has(subject)))
      found.push(...[(await withoutOrder(foundOf(await processor.intent(id)), context)) ?? []].flat())
    return found
  },
  payout: payoutDifferences,
  line: async (context, subjects) => {
    const { lineIds } = await context.minting(checkFinalDeliveries, { body: { lineIds: subjects } })
    return undeliveredLines(context, lineIds)
  },
  token: async (context, subjects) => {
    const unexpected = await unexpectedDeliveries(context)
    const names = subjects.filter((subject) => !unexpected.some((each) => each.subject === subject))
    const { tokens } = await context.minting(findTokenOwners, { body: { tokens: names } })
    const { items } = await context.catalog(findItemOwners, { body: { tokens: names } })
    const onChain = new Map(tokens.map((token) => [token.token, token]))
    const shown = new Map(items.map(({ token, ownerId }) => [token, ownerId]))
    return [
      ...unexpected,
      ...names.flatMap((token) => {
        const found = onChain.get(token)
        if (found) return ownerDifference(found, shown.get(token)) ?? []
        return shown.has(token) ? notOnChain(token) : []
      }),
    ]
  },
  reservation: async ({ trx, catalog }, subjects) => {
    const { reservations } = await catalog(findReservations, { body: { itemIds: subjects } })
    return reservationDifferences(trx, reservations)
  },
}

async function hasTransient({ trx }: StepContext): Promise<boolean> {
  const { rows } = await sql`
    select from reconciliation_difference where kind in ('line', 'token', 'reservation') and not ${isAcknowledgedRow} limit 1`.execute(
    trx,
  )
  return rows.length > 0
}

type Place = { check: number; kind: Kind; after: string }

function parse(cursor: string | null): Place {
  if (cursor === null) return { check: 1, kind: 'intent', after: '' }
  const [check, kind, ...after] = cursor.split('|')
  return { check: Number(check), kind: kind as Kind, after: after.join('|') }
}

const format = ({ check, kind, after }: Place) => `${check}|${kind}|${after}`
