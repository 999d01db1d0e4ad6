import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { inSnapshot } from '@nifty/service-kit/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { MarketCache, ReadyAnswer } from './cache.ts'
import { type Generation, readGeneration } from './generation.ts'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)
/** Better than gzip at its best, in a fraction of what the highest quality costs. */
const BROTLI_QUALITY = 4

/** Reads what an answer says; everything it reads is one snapshot. */
export type Build = (snapshot: Transaction<Database>) => Promise<unknown>

export type MarketAnswers = {
  /** True as of a second ago at most; `now` asks the database first whether anything changed. */
  answer: (key: string, build: Build, asOf?: 'recent' | 'now') => Promise<ReadyAnswer>
  look: () => Promise<number>
  /** How many answers were kept ones, were built, or waited for one that was being built; since the start. */
  counts: () => { hit: number; miss: number; joined: number }
}

/**
 * Hands out answers that are true now. One is built once at a time however many ask, and from the same snapshot as its
 * generation, so that an old answer never carries a new number. A failure is told to those who asked and not kept.
 */
export function createMarketAnswers(deps: {
  db: Kysely<Database>
  cache: MarketCache
  generation: Generation
}): MarketAnswers {
  const { db, cache, generation } = deps
  const building = new Map<string, Promise<ReadyAnswer>>()
  const counts = { hit: 0, miss: 0, joined: 0 }

  async function make(key: string, build: Build): Promise<ReadyAnswer> {
    const { body, seen } = await inSnapshot(db, async (snapshot) => ({
      seen: await readGeneration(snapshot),
      body: await build(snapshot),
    }))
    generation.saw(seen)
    const answer = await pack(key, seen, body)
    await cache.put(answer)
    return answer
  }

  return {
    look: generation.look,
    counts: () => ({ ...counts }),
    answer: async (key, build, asOf = 'recent') => {
      const current = await (asOf === 'now' ? generation.look() : generation.current())
      const kept = await cache.get(key, current)
      if (kept) {
        counts.hit++
        return kept
      }
      const job = `${current} ${key}`
      counts[building.has(job) ? 'joined' : 'miss']++
      const running = building.get(job) ?? make(key, build).finally(() => building.delete(job))
      building.set(job, running)
      return running
    },
  }
}

async function pack(key: string, generation: number, body: unknown): Promise<ReadyAnswer> {
  const plain = Buffer.from(JSON.stringify(body))
  const params = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }
  const [small, smaller] = await Promise.all([toGzip(plain), toBrotli(plain, params)])
  return { key, generation, etag: digest(plain), plain, gzip: small, brotli: smaller }
}

export const digest = (plain: Buffer) => createHash('sha256').update(plain).digest('base64url').slice(0, 27)
