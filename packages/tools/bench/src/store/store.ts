import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { type Store, startStore } from '@nifty/testkit/store'
import { addWorks } from '../cluster/works.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** Minted with their pictures, as in the demo; all others are rows of minting without an image. */
const DEMO_WORKS = 24
const WORKS = 260

/** A one-process store with works for sale, until `measure` ends. */
export async function withStore<Result>(measure: (store: Store) => Promise<Result>): Promise<Result> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  const env = { POSTGRES_URL: postgres.url, RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'warn' }
  try {
    const store = await startStore({ works: DEMO_WORKS, env })
    try {
      await addWorks({ run: store.run, postgresUrl: postgres.url }, WORKS - DEMO_WORKS)
      return await measure(store)
    } finally {
      await store.remove()
    }
  } finally {
    await postgres.stop()
    await removeFolder()
  }
}
