import * as api from '@nifty/api/payments/ops'
import { conflict, invalid } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { readUntil, viewAcknowledgement } from '../alarms/acknowledgement.ts'
import type { Run } from '../db.ts'
import type { Deps } from '../deps.ts'
import { acknowledgeDifference } from './acknowledgement.actions.ts'
import { listDifferences, viewDifference } from './acknowledgement.store.ts'
import { insertRun, newestRun, runningRun } from './reconciliation.store.ts'
import { add, nothing } from './reconciliation.ts'

const AT_MOST = 500
/** The processor refuses a time before 1970: a run from there on would never finish, and no other one could start. */
const EARLIEST = Date.UTC(2000)

export const reconciliationRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.startReconciliation, async ({ body }) => {
    const since = body.since === undefined ? null : new Date(body.since)
    if (since && !(since.getTime() >= EARLIEST && since.getTime() <= Date.now()))
      throw invalid('invalid_date', `${body.since} is not a date from 2000 on that is past`)
    const isFull = body.all === true
    const running = await runningRun(db)
    if (running && (isFull || since)) throw conflict('reconciliation_running', 'A reconciliation is running')
    return view(running ?? (await insertRun(db, { since, isFull })) ?? (await newestRun(db))!)
  })

  registerRoute(app, api.getReconciliation, async () => {
    const run = await newestRun(db)
    return { run: run ? await view(run) : null }
  })

  registerRoute(app, api.acknowledgeDifference, async (request) => {
    const { until, ...action } = actionOf(request)
    const acknowledgement = { ...action, until: readUntil(until) }
    return db.transaction().execute((trx) => acknowledgeDifference(trx, acknowledgement))
  })

  async function view(run: Run) {
    const open = await listDifferences(db, { isAcknowledged: false, limit: AT_MOST })
    const acknowledged = await listDifferences(db, { isAcknowledged: true, limit: AT_MOST })
    const { id, since, until, isFull, step, compared, ours, processor, error, finishedAt } = run
    return {
      _id: id,
      isFull,
      step,
      error,
      since: since.toISOString(),
      until: until.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
      compared: compared as Record<string, number>,
      ours: add(ours, nothing),
      processor: add(processor, nothing),
      differenceCount: open.count,
      differences: open.differences.map(viewDifference),
      acknowledgedCount: acknowledged.count,
      acknowledged: acknowledged.differences.map((row) => ({
        ...viewDifference(row),
        acknowledged: viewAcknowledgement(row)!,
      })),
    }
  }
}
