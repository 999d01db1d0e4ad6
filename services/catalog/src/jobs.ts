import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { publishItemNews } from './news/item-news.actions.ts'
import { isNewsDue } from './news/item-news.store.ts'

export const jobs = {
  'item news': {
    does: 'publishes what happened to a work, in portions of accounts, to those who marked it or follow its artist',
    work: 'itemNews',
    everyMs: 1_000,
    retry: 'next interval',
    handler: ({ db }) => ({ isDue: () => isNewsDue(db), run: () => publishItemNews(db) }),
  },
} satisfies Jobs<Pick<Deps, 'db'>, Database>
