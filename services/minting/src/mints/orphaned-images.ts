import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql } from 'kysely'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { readChainState } from '../chain-transactions/chain-state.ts'
import type { Database } from '../db.ts'
import type { ImageStore, StoredFile } from '../images/image-store.ts'

/** The file of a mint is written before its row: seconds, however slow the disk is. */
const AGE_MS = 86_400_000

type Dependencies = Pick<ChainContext, 'db' | 'node' | 'index' | 'settings'> & { images: ImageStore }

/**
 * Returns a function that removes, of one page of files, those older than a day that no mint names, and drafts: what a
 * killed process or a full disk left behind. True until all files were compared.
 *
 * A restored database may lack the mints of works that exist, so nothing is removed while the index of the chain is
 * late, or has a token without a mint.
 */
export function createOrphanRemoval({ db, images, ...chain }: Dependencies): () => Promise<boolean> {
  let files: ReturnType<ImageStore['list']> | undefined

  return async () => {
    files ??= images.list()
    const { value: page } = await files.next()
    const orphans = page ? await images.olderThan(AGE_MS, await findOrphans(db, page)) : []
    if (page && (orphans.length === 0 || (await knowsAllMints({ db, ...chain })))) {
      await images.removeFiles(orphans)
      return true
    }
    await files.return(undefined)
    files = undefined
    return false
  }
}

async function knowsAllMints({ db, ...chain }: Omit<Dependencies, 'images'>): Promise<boolean> {
  const { refusal } = await readChainState(chain)
  if (refusal !== null && refusal !== 'fee_cap') return false
  const lost = db.selectFrom('token').select('token').where('mintId', 'is', null).limit(1)
  return (await lost.executeTakeFirst()) === undefined
}

async function findOrphans(db: Kysely<Database>, files: StoredFile[]): Promise<StoredFile[]> {
  const image = sql<string>`split_part(file, '.', 1)`
  const mints = await db
    .selectFrom('mint')
    .select(image.as('image'))
    .where(image, '=', anyOf([...new Set(files.map((file) => file.image))]))
    .execute()
  const named = new Set(mints.map((mint) => mint.image))
  return files.filter((file) => file.isDraft || !named.has(file.image))
}
