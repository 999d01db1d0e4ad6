import type { ExpectedError } from '@nifty/service-kit/errors'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database, Line } from '../db.ts'
import type { Processor } from '../processor/processor.ts'
import type { LockedOrder } from './order.store.ts'

/** Who is asked on the way. */
export type Outside = { processor: Processor; catalog: ServiceClient; minting: ServiceClient; log: Log; config: Config }

/** One order under lock, and everything a step may need. */
export type Work = Outside & { trx: Transaction<Database>; order: LockedOrder; lines: Line[] }

/**
 * What a step came to. `pauseMs` until the next look (0: there is more to do at once, null: nothing is left to do).
 * `refusal` is what a buyer who waits for this step is told.
 */
export type StepResult = { pauseMs: number | null; refusal?: ExpectedError }

export const goOn: StepResult = { pauseMs: 0 }
export const nothingLeft: StepResult = { pauseMs: null }
export const lookIn = (pauseMs: number): StepResult => ({ pauseMs })
