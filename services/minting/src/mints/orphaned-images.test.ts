import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from '@nifty/service-kit/objects/folder-objects'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createChainContext } from '../create-chain-context.ts'
import { createImageStore } from '../images/image-store.ts'
import { jobs } from '../jobs.ts'
import { givenAccount } from '../testing/fixtures.ts'
import { postMint } from '../testing/mint-form.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain, db, config, until } = minting
const folder = join(minting.uploadsDir, 'nfts')
const context = createChainContext({ db, log: testLog, config })
const images = createImageStore({ objects: await openFolder(folder), log: testLog })

async function runJob() {
  const { run } = jobs['orphaned images'].handler({ ...context, images, mailTokenKeys: minting.mailTokenKeys })
  while (await run());
}
const filesOf = async () => (await readdir(folder, { recursive: true })).filter((path) => path.includes('.')).sort()

async function makeOld(paths: string[], days: number) {
  const at = Date.now() / 1_000 - days * 86_400
  for (const path of paths) await utimes(join(folder, path), at, at)
}

/** A mint whose process ends after its image was written and before its row is. */
async function killBetweenFileAndRow(userId: string) {
  const before = await filesOf()
  const blocker = await db.startTransaction().execute()
  await sql`lock table mint in share row exclusive mode`.execute(blocker)
  const response = postMint(minting, userId)
  await waitForBlockedQuery(db, { except: '%chain%' })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "mint"%'`.execute(db)
  expect((await response).statusCode).toBeGreaterThanOrEqual(500)
  await blocker.rollback().execute()
  return (await filesOf()).filter((path) => !before.includes(path))
}

test('files that no mint names are removed after a day; those of mints stay', async () => {
  const { userId } = await givenAccount(minting, { admin: true })
  const mint = (await postMint(minting, userId)).json()
  const named = await filesOf()
  const orphans = await killBetweenFileAndRow(userId)
  expect(orphans).toHaveLength(named.length)
  const draft = `${named[0]}.${crypto.randomUUID()}`
  await writeFile(join(folder, draft), 'half a fi')

  await makeOld([...named, ...orphans, draft], 0.9)
  await runJob()
  expect(await filesOf()).toEqual([...named, ...orphans, draft].sort())

  await makeOld([...named, ...orphans, draft], 1.1)
  await runJob()
  expect(await filesOf()).toEqual(named)
  expect((await minting.app.inject(mint.image)).statusCode).toBe(200)
})

test('nothing is removed while the database lacks the mint of a token, or the index is late', async () => {
  const { userId } = await givenAccount(minting, { admin: true })
  const orphans = await killBetweenFileAndRow(userId)
  await makeOld(orphans, 30)
  const before = await filesOf()

  const token = `${chain.collection.toLowerCase()}/999`
  await sql`insert into token (token, contract, identifier) values (${token}, ${chain.collection}, '999')`.execute(db)
  await runJob()
  expect(await filesOf()).toEqual(before)
  await db.deleteFrom('token').where('token', '=', token).execute()

  await minting.stop()
  await db.updateTable('chainCursor').set({ block: -1, blockHash: null }).execute()
  await runJob()
  expect(await filesOf()).toEqual(before)
  await minting.start()
  await until(async () => (await db.selectFrom('chainCursor').select('block').executeTakeFirst())!.block > 0)
  await runJob()
  expect(await filesOf()).toEqual(before.filter((path) => !orphans.includes(path)))
})
