import { type Mutant, mutant } from './mutant.ts'

const kit = 'packages/service-kit/src'
const relay = `${kit}/messaging/relay.ts`
const outbox = `${kit}/messaging/outbox.ts`
const test = (title: string) => ({ file: `${kit}/messaging/messaging.test.ts`, title })

export const messageMutants: Mutant[] = [
  {
    name: 'publish-before-commit',
    rule: 'a change that is rolled back publishes no event',
    edits: [
      {
        file: `${kit}/database/database.ts`,
        find: 'pools.set(db, pool)',
        replace: `pools.set(db, pool)
  ;((globalThis as any).databases ??= new Map()).set(new URL(url).pathname.slice(1), db)`,
      },
      {
        file: outbox,
        find: "import type { Kysely, Transaction } from 'kysely'",
        replace: "import { type Kysely, sql, type Transaction } from 'kysely'",
      },
      {
        file: outbox,
        find: 'await (trx as Transaction<MessagingTables>)\n',
        replace: `const { rows } = await sql<any>\`select current_database() as name\`.execute(trx)
  await (globalThis as any).databases.get(rows[0].name)
`,
      },
    ],
    tests: [test('an event of a transaction that is rolled back is never published')],
  },
  {
    name: 'poller-by-highest-id',
    rule: 'an event whose transaction commits late is published',
    edits: [
      { file: relay, find: 'const BATCH = 200\n', replace: 'const BATCH = 200\nconst highest = new WeakMap()\n' },
      {
        file: relay,
        find: "'correlationId', 'traceparent'])\n        .where('publishedAt', 'is', null)",
        replace: "'correlationId', 'traceparent'])\n        .where('seq', '>', highest.get(db) ?? 0)",
      },
      {
        file: relay,
        find: 'await transport.publish(waiting)\n',
        replace: 'await transport.publish(waiting)\n      highest.set(db, rows.at(-1)!.seq)\n',
      },
    ],
    tests: [test('an event of a transaction that commits late is published late, not skipped')],
  },
  mutant(
    'no-inbox',
    'a message takes effect once',
    { file: `${kit}/messaging/inbox.ts`, find: 'if (!isNew) return true', replace: '' },
    test('a redelivered message is handled once'),
  ),
  mutant(
    'retry-not-locked',
    'one replica retries a message (second guard: the inbox)',
    {
      file: `${kit}/messaging/retry-queue.ts`,
      find: 'order by seq limit 1 for update skip locked',
      replace: 'order by seq limit 1',
    },
    test('two replicas do not retry a message at the same time'),
  ),
  mutant(
    'offset-before-effect',
    'an offset is committed after the effect',
    {
      file: `${kit}/messaging/kafka/batch.ts`,
      find: 'if (!(await handleAll(messages, reader, isOver))) break\n      resolveOffset(records.at(-1)!.offset)',
      replace: 'resolveOffset(records.at(-1)!.offset)\n      if (!(await handleAll(messages, reader, isOver))) break',
    },
    { file: `${kit}/messaging/kafka/batch.test.ts`, title: 'the offset of a message that was not stored stays' },
  ),
  mutant(
    'unknown-version-dropped',
    'M6: an event in an unknown version is kept',
    {
      file: `${kit}/messaging/inbox.ts`,
      find: '      await storeUnknownVersion(tables, message)\n',
      replace: '',
    },
    {
      file: `${kit}/messaging/version.test.ts`,
      title: 'an unknown version is a dead letter that no attempt of this release touches and that blocks nothing',
    },
  ),
  mutant(
    'republication-overtaken',
    'O3: events wait while earlier ones are published again',
    {
      file: relay,
      find: '.where(sql<boolean>`not exists (select from republication where ended_at is null)`)',
      replace: '',
    },
    {
      file: `${kit}/messaging/republication.test.ts`,
      title: 'no event overtakes an earlier one of its key that is published again',
    },
  ),
  mutant(
    'foreign-database-used',
    'O5: the database of another store is refused',
    {
      file: `${kit}/service/service.ts`,
      find: 'await ensureDatabase(databaseUrl, () => refuseForeignDatabase(db, storeId))',
      replace: 'await ensureDatabase(databaseUrl)',
    },
    {
      file: `${kit}/database/store-identity.test.ts`,
      title: 'a database of another store is refused before a migration is applied, with what to do',
    },
  ),
]
