import type { Nft } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import { type ApiClient, accountsOf, logIn, pay } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

/** Enough for a store whose processes are killed on a busy machine. */
const TIMEOUT_MS = 180_000

export type Buyer = { client: ApiClient; wallet: string; username: string }
export type Sale = { buyer: Buyer; work: Nft; order: Order }

/** The demo collectors, logged in. */
export const buyersOf = (run: RunFile): Promise<Buyer[]> =>
  Promise.all(
    accountsOf(run, 'collector').map(async (account) => ({
      client: await logIn(run, account),
      wallet: account.wallet.address,
      username: account.username,
    })),
  )

/** Repeats a request until it succeeds: connections break and services restart meanwhile. */
async function retry<Response extends { status: number }>(
  what: string,
  {
    timeoutMs,
    send,
    onFailure = () => {},
  }: { timeoutMs: number; send: () => Promise<Response>; onFailure?: (response: Response | Error) => void },
): Promise<Response> {
  let last: unknown
  return waitUntil(
    async () => {
      const response = await send().catch((error: unknown) => error)
      last = response
      const isDone = (response as Response).status === 200
      if (!isDone) onFailure(response as Response | Error)
      return isDone && (response as Response)
    },
    { timeoutMs, intervalMs: 250 },
  ).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}, last ${last instanceof Error ? last.message : JSON.stringify(last)}`)
  })
}

/**
 * Buys a work and waits for the completed order, at most `timeoutMs` at each step; `reached` resolves at each step, and
 * `refused` has status and code of the requests for a purchase that did not succeed.
 */
export function purchase(run: RunFile, buyer: Buyer, work: Nft, timeoutMs = TIMEOUT_MS) {
  const reached = { ordered: Promise.withResolvers<void>(), paid: Promise.withResolvers<void>() }
  const refused: string[] = []
  const sale = (async (): Promise<Sale> => {
    const { body } = await retry(`buying ${work.name}`, {
      timeoutMs,
      send: () => buyer.client.buy(work),
      onFailure: (response) =>
        refused.push(response instanceof Error ? response.message : `${response.status} ${response.body.code}`),
    })
    reached.ordered.resolve()
    await retry(`paying for ${work.name}`, { timeoutMs, send: () => pay(run, body.url, run.cards.approved) })
    reached.paid.resolve()
    let last: Order | undefined
    const order = await waitUntil(
      async () => {
        last = await buyer.client.order(body.orderId).catch(() => last)
        return last?.state === 'completed' && last
      },
      { timeoutMs, intervalMs: 250 },
    ).catch((error: Error) => {
      throw new Error(`order ${body.orderId} is ${last?.state}: ${error.message}`)
    })
    return { buyer, work, order }
  })()
  sale.catch((error) => {
    reached.ordered.reject(error)
    reached.paid.reject(error)
  })
  // Prevents unhandled rejections; `sale` still rejects.
  reached.ordered.promise.catch(() => {})
  reached.paid.promise.catch(() => {})
  return { sale, refused, reached: { ordered: reached.ordered.promise, paid: reached.paid.promise } }
}
