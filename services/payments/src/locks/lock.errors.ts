import { busy } from '@nifty/service-kit/base/errors'

/** SQLSTATEs of a `lock_timeout` and of a serialization failure: the same transaction may succeed. */
const repeatable = ['55P03', '40001']

export const isRepeatable = (error: unknown) => repeatable.includes((error as { code?: string })?.code ?? '')

/** Turns a transaction that may be repeated into a 503 `busy`. */
export async function orBusy<Result>(transaction: Promise<Result>): Promise<Result> {
  return transaction.catch((error) => {
    throw isRepeatable(error) ? busy() : error
  })
}
