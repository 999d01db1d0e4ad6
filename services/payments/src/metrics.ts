import { measureBacklog } from '@nifty/service-kit/base/backlog'
import { collector } from '@nifty/service-kit/base/metrics'
import { type Kysely, sql } from 'kysely'
import { isAcknowledgedRow } from './alarms/acknowledgement.ts'
import { alarmNames } from './alarms/alarm.store.ts'
import type { Database } from './db.ts'
import { countOpenLines } from './orders/line.store.ts'
import { openStates } from './orders/line.ts'
import type { StepDeps } from './orders/run-step.ts'
import { OF_ANOTHER_SHOP } from './webhooks/webhook.store.ts'

/** A value for each name, 0 where nothing was counted. */
const withZeros = (names: readonly string[], rows: { name: string; count: number }[]) => ({
  ...Object.fromEntries(names.map((name) => [name, 0])),
  ...Object.fromEntries(rows.map(({ name, count }) => [name, count])),
})

const ordersCollector = (db: Kysely<Database>) =>
  collector({
    source: 'orders',
    metrics: {
      nifty_order_lines: { help: 'Order lines that are not final, by state', label: 'state' },
      nifty_orders_authorised_oldest_seconds: { help: 'Age of the oldest hold that is neither captured nor released' },
      nifty_orders_held_euros: { help: 'Sum of the holds that are neither captured nor released' },
      nifty_orders_hold_ending: { help: 'Orders with a hold that its card ends within a day' },
      nifty_bids_held_euros: { help: 'Sum of the holds of offers and bids that are not decided and not given back' },
      nifty_bids_oldest_seconds: {
        help: 'Age of the oldest offer or bid whose hold is neither decided nor given back',
      },
      nifty_bids_undecided: { help: 'Offers and bids whose hold is neither decided nor given back after their end' },
      nifty_orders_failing: { help: 'Orders whose last step failed and is retried' },
    },
    read: async () => {
      const lines = await countOpenLines(db)
      const { rows } = await sql<{ oldest: number | null; heldCents: number | null; ending: number; failing: number }>`
        select extract(epoch from clock_timestamp() - min(authorised_at))::float8 as oldest,
          sum(held_cents)::bigint as held_cents,
          count(*) filter (where capture_before < now() + interval '1 day') as ending,
          (select count(*) from orders where next_run_at is not null and failures > 0) as failing
        from orders where money = 'held'`.execute(db)
      const held = rows[0]!
      const bids = await sql<{ heldCents: number | null; oldest: number | null; undecided: number }>`
        select sum(held_cents)::bigint as held_cents,
          extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest,
          count(*) filter (where decide_by < now()) as undecided
        from orders where order_kind <> 'purchase' and money = 'held' and authorised_at is null`.execute(db)
      const bid = bids.rows[0]!
      return {
        nifty_order_lines: withZeros(openStates, lines),
        nifty_orders_authorised_oldest_seconds: held.oldest ?? 0,
        nifty_orders_held_euros: (held.heldCents ?? 0) / 100,
        nifty_orders_hold_ending: held.ending,
        nifty_bids_held_euros: (bid.heldCents ?? 0) / 100,
        nifty_bids_oldest_seconds: bid.oldest ?? 0,
        nifty_bids_undecided: bid.undecided,
        nifty_orders_failing: held.failing,
      }
    },
  })

const attentionCollector = (db: Kysely<Database>) =>
  collector({
    source: 'attention',
    metrics: {
      nifty_alarms_last_day: {
        help: 'Subjects of alarms that were raised within the last 24 hours and not acknowledged',
        label: 'name',
      },
      nifty_webhooks_waiting: { help: 'Webhook events of the card processor that are not handled yet' },
      nifty_webhooks_oldest_seconds: { help: 'Age of the oldest unhandled webhook event' },
      nifty_webhooks_of_other_shops_last_day: {
        help: 'Webhook events of the last 24 hours about payments that do not carry the id of this store',
      },
      nifty_reconcile_balanced: { help: '1 when books, processor and chain agreed when last compared, else 0' },
      nifty_reconcile_age_seconds: {
        help: 'Time since books, processor and chain last agreed, or since the first order',
      },
    },
    read: async () => {
      const alarms = await sql<{ name: string; count: number }>`
        select name, count(*) as count from alarm
        where last_at > now() - interval '24 hours' and not ${isAcknowledgedRow}
        group by name`.execute(db)
      const webhooks = await measureBacklog(db, {
        table: 'stripe_inbox',
        since: 'received_at',
        where: sql`handled_at is null`,
      })
      const foreign = await sql<{ count: number }>`
        select count(*) as count from stripe_inbox
        where outcome = ${sql.lit(OF_ANOTHER_SHOP)} and created > now() - interval '24 hours'`.execute(db)
      const { rows } = await sql<{ balanced: boolean | null; age: number | null }>`
        select (select differences = 0 from reconciliation where finished_at is not null order by until desc limit 1) as balanced,
          extract(epoch from clock_timestamp() - coalesce(
            (select max(until) from reconciliation where differences = 0),
            (select min(created_at) from orders)))::float8 as age`.execute(db)
      const { balanced, age } = rows[0]!
      return {
        nifty_alarms_last_day: withZeros(alarmNames, alarms.rows),
        nifty_webhooks_waiting: webhooks.count,
        nifty_webhooks_oldest_seconds: webhooks.oldestSeconds,
        nifty_webhooks_of_other_shops_last_day: foreign.rows[0]!.count,
        nifty_reconcile_balanced: balanced === null ? null : Number(balanced),
        nifty_reconcile_age_seconds: age ?? 0,
      }
    },
  })

/** Counted in this process, without the database. */
const salesCollector = ({ processor, saleTimes }: Pick<StepDeps, 'processor' | 'saleTimes'>) =>
  collector({
    source: 'sales',
    metrics: {
      nifty_processor_calls_total: {
        help: 'Calls to the card processor: ok, refused (4xx), failed (5xx and 429), or none: no response',
        label: 'outcome',
        kind: 'counter',
      },
      nifty_processor_answers: { help: '1 if the card processor answered the last call, 0 if not, or with 5xx or 429' },
      nifty_sales_total: {
        help: 'Captured orders, by whether the capture came within ten minutes of the hold',
        label: 'captured',
        kind: 'counter',
      },
    },
    read: async () => ({
      nifty_processor_calls_total: processor.calls(),
      nifty_processor_answers: Number(processor.answers()),
      nifty_sales_total: saleTimes.counted(),
    }),
  })

/** Metrics of orders, of the processor and of everything that needs an operator. */
export const createCollectors = ({
  db,
  ...deps
}: { db: Kysely<Database> } & Pick<StepDeps, 'processor' | 'saleTimes'>) => [
  ordersCollector(db),
  attentionCollector(db),
  salesCollector(deps),
]
