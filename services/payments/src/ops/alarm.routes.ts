import * as api from '@nifty/api/payments/alarms'
import { getNewestWebhook } from '@nifty/api/payments/processor-events'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { readUntil } from '../alarms/acknowledgement.ts'
import { acknowledgeAlarm } from '../alarms/alarm.actions.ts'
import type { Deps } from '../deps.ts'
import { lastWebhookAt } from '../webhooks/webhook.store.ts'
import { viewAlarm } from './order.store.ts'

export const opsAlarmRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.acknowledgeAlarm, async (request) => {
    const { until, ...action } = actionOf(request)
    const acknowledgement = { ...action, until: readUntil(until) }
    return viewAlarm(await db.transaction().execute((trx) => acknowledgeAlarm(trx, acknowledgement)))
  })

  registerRoute(app, getNewestWebhook, async () => ({
    receivedAt: (await lastWebhookAt(db))?.toISOString() ?? null,
  }))
}
