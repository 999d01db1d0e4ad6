import { closeNextDay } from '@nifty/service-kit/database/statistics'
import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { deleteOldContactMessages } from './contact-messages/contact-message.store.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { queueDigest } from './digests/digest.actions.ts'
import { isDigestDue } from './digests/digest.store.ts'
import { eraseOldMails } from './mails/retention.ts'
import { CONCURRENCY, type Sender } from './mails/sender.ts'
import { deleteUnconfirmed } from './newsletter/subscriber.store.ts'
import { queueNoticeMail } from './notices/notice.actions.ts'
import { deleteOldNotices, isMailDue } from './notices/notice.store.ts'
import { eraseDeletedRecipients } from './recipients/recipient.store.ts'
import { mailFigures } from './statistics/statistics.store.ts'

const MINUTE_MS = 60_000

export const jobs = {
  mails: {
    does: 'sends a queued mail',
    work: 'mail',
    everyMs: 1_000,
    isNotified: true,
    concurrency: CONCURRENCY,
    retry: 'backoff, then given up',
    handler: ({ sender }) => ({ isDue: sender.isMailDue, run: sender.sendOne }),
  },
  'notice mails': {
    does: 'queues the mail of a notice, if the account wants it',
    work: 'notice',
    everyMs: 1_000,
    concurrency: 4,
    retry: 'next interval',
    handler: (deps) => ({
      isDue: () => isMailDue(deps.db),
      run: async () => void (await queueNoticeMail(deps)),
    }),
  },
  'digest mails': {
    does: 'queues the mail about what a followed artist listed on a day that is over',
    work: 'digest',
    everyMs: 1_000,
    concurrency: 4,
    retry: 'next interval',
    handler: (deps) => ({ isDue: () => isDigestDue(deps.db), run: () => queueDigest(deps) }),
  },
  'mail retention': {
    does: 'erases addresses, subjects and texts of mails that were sent or given up a month ago',
    work: 'mail',
    everyMs: 60 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => eraseOldMails(db) }),
  },
  'newsletter retention': {
    does: 'deletes addresses of the newsletter that were not confirmed within a month',
    work: 'subscriber',
    everyMs: 60 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => deleteUnconfirmed(db) }),
  },
  'notice retention': {
    does: 'deletes notices after 90 days',
    work: 'notice',
    everyMs: 60 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => deleteOldNotices(db) }),
  },
  'contact message retention': {
    does: 'deletes messages of the contact page after two years',
    work: 'contactMessage',
    everyMs: 60 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => deleteOldContactMessages(db) }),
  },
  'deleted recipients': {
    does: 'erases deleted accounts that have no purchase under way',
    work: 'recipient',
    everyMs: 5 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => eraseDeletedRecipients(db) }),
  },
  statistics: {
    does: 'stores the figures of a day that is over',
    work: 'statisticsDay',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => closeNextDay(db, mailFigures) }),
  },
} satisfies Jobs<Deps & { sender: Sender }, Database>
