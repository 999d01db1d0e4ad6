import type { Worker } from '@nifty/service-kit/base/worker'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { publishItemNews } from './item-news.actions.ts'
import { countItemNews } from './item-news.store.ts'

/** Publishes one news after the other, all portions of each at once. */
export const itemNewsWorker = (db: Kysely<Database>): Worker => ({
  name: 'item news',
  everyMs: 1_000,
  due: (atMost) => countItemNews(db, atMost),
  run: () => publishItemNews(db),
})
