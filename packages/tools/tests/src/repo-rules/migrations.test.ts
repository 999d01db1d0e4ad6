import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

const migrations = Map.groupBy(
  files.filter((file) => /\/migrations\/.*\.sql$/.test(file)),
  (file) => dirname(file),
)

/** The newest migration of each folder in the last release. Those after it meet filled tables. */
const released: Record<string, string> = {
  'packages/service-kit/migrations': '006',
  'packages/service-kit/migrations/local-transport': '002',
  'services/auth/migrations': '012',
  'services/catalog/migrations': '017',
  'services/minting/migrations': '006',
  'services/notification/migrations': '005',
  'services/payments/migrations': '005',
}
const unreleased = files.filter(
  (file) => migrations.has(dirname(file)) && basename(file).slice(0, 3) > (released[dirname(file)] ?? '000'),
)

const scansOfAlter =
  /\b(check|references|unique|primary key|set not null|validate constraint)\b|alter column \w+ (set data )?type\b/

/** Statements of a migration that last the longer, the more rows a table of former migrations has. */
function statementsOnRows(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((statement) => statement.trim())
  const created = statements.map((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1])
  return statements.filter((statement) => {
    const [, what, table] =
      /^(update|create (?:unique )?index(?: if not exists)? \w+ on|alter table)\s+(\w+)/.exec(statement) ?? []
    if (what === undefined || created.includes(table)) return false
    return what !== 'alter table' || (scansOfAlter.test(statement) && !/\bnot valid$/.test(statement))
  })
}

test('there are migrations', () => expect(migrations.size).toBeGreaterThan(4))

test.each([...migrations])('%s numbers each migration once, from 001 on', (_folder, sqlFiles) => {
  const numbers = sqlFiles.map((file) => basename(file).slice(0, 4)).sort()
  expect(numbers).toEqual(numbers.map((_, index) => `${String(index + 1).padStart(3, '0')}-`))
})

test.each([
  ['update item set place = 1;', 1],
  ['-- of works\ncreate unique index item_place on item (place);', 1],
  ['alter table item add column kind text check (kind <> $$;$$);', 1],
  ['alter table item alter column place type bigint;', 1],
  ['alter table item add constraint item_kind check (kind in (1)) not valid;', 0],
  ['alter table item add column place integer not null default 0;', 0],
  ['create table place (id uuid references item);\ncreate index place_id on place (id);\nupdate place set id = id;', 0],
  ['create trigger guard before update or delete on item for each row execute function guard();', 0],
  ['create function guard() returns trigger as $$ begin update item set place = 1; return new; end $$;', 0],
])('%j has %i statements on the rows of a former table', (text, count) =>
  expect(statementsOnRows(text)).toHaveLength(count),
)

/** Tables that each sale writes. A check that is not added as `not valid` locks them while it reads all rows. */
const busy = new Set(['delivery', 'line', 'orders', 'chain_transaction', 'attempt'])

test.each(unreleased)('%s adds constraints to such a table as not valid', async (file) => {
  const text = await readFile(join(root, file), 'utf8')
  for (const statement of text.replaceAll(/--.*$/gm, '').split(';')) {
    const [, table] = /^\s*alter table\s+(\w+)/.exec(statement) ?? []
    if (!busy.has(table!) || !/\badd constraint\b/.test(statement)) continue
    const count = (pattern: RegExp) => statement.match(pattern)?.length ?? 0
    expect(count(/\bnot valid\b/g)).toBe(count(/\badd constraint\b/g))
  }
})

/** The newest migration of each folder that locks a former table while it works on its rows. */
const locking: Record<string, string> = {
  'packages/service-kit/migrations': '008',
  'services/auth/migrations': '023',
  'services/catalog/migrations': '025',
  'services/minting/migrations': '017',
  'services/notification/migrations': '012',
  'services/payments/migrations': '020',
}

const isOutside = (text: string) => text.startsWith('-- outside a transaction\n')

test.each(unreleased)('%s works on the rows of a former table outside a transaction, if it is new', async (file) => {
  const text = await readFile(join(root, file), 'utf8')
  if (basename(file).slice(0, 3) <= (locking[dirname(file)] ?? '000')) return
  expect(isOutside(text) ? [] : statementsOnRows(text)).toEqual([])
})

test.each(unreleased)(
  '%s builds indexes concurrently and can run again, if it is outside a transaction',
  async (file) => {
    const text = await readFile(join(root, file), 'utf8')
    if (!isOutside(text)) return
    for (const statement of text.replaceAll(/^--.*\n/gm, '').split(/;\n\n/))
      expect(statement).toMatch(
        /^(drop index concurrently if exists (\w+)|create (unique )?index concurrently (\w+) on|do \$\$[\s\S]*\bcommit;)/,
      )
    for (const [, index] of text.matchAll(/create (?:unique )?index concurrently (\w+)/g))
      expect(text).toContain(`drop index concurrently if exists ${index};`)
  },
)

// A session has 5 s for a statement; and what waits for a lock lets all wait that come after it.
test.each(unreleased)('%s sets both time limits if it works on the rows of a former table', async (file) => {
  const text = await readFile(join(root, file), 'utf8')
  if (isOutside(text) || statementsOnRows(text).length === 0) return
  expect(text).toContain('set local statement_timeout = 0;')
  expect(text).toContain("set local lock_timeout = '2s';")
})
