import type { Nft } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import type { RunFile } from '@nifty/local/run-file'
import { until } from './until.ts'
import { accountsOf, pay, signIn, type Visitor } from './visitor.ts'

/** Long enough for a store whose processes are killed on a machine that does other things, too. */
const PATIENCE_MS = 180_000

export type Buyer = { visitor: Visitor; wallet: string; username: string }
export type Sale = { buyer: Buyer; work: Nft; order: Order }

/** The demo collectors, signed in. */
export const buyersOf = (run: RunFile): Promise<Buyer[]> =>
  Promise.all(
    accountsOf(run, 'collector').map(async (account) => ({
      visitor: await signIn(run, account),
      wallet: account.wallet.address,
      username: account.username,
    })),
  )

/** Asks again, as people do, when the line was cut or the store says "please try again". */
async function insist<Answer extends { status: number }>(
  what: string,
  { patience, ask }: { patience: number; ask: () => Promise<Answer> },
): Promise<Answer> {
  let last: unknown
  return until(
    async () => {
      const answer = await ask().catch((error: unknown) => error)
      last = answer
      return (answer as Answer).status === 200 && (answer as Answer)
    },
    { patience, every: 250 },
  ).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}, last ${last instanceof Error ? last.message : JSON.stringify(last)}`)
  })
}

/** Somebody buys a work and waits until it is theirs, `patience` ms at each step; `reached` says how far they got. */
export function purchase(run: RunFile, buyer: Buyer, work: Nft, patience = PATIENCE_MS) {
  const reached = { asked: Promise.withResolvers<void>(), paid: Promise.withResolvers<void>() }
  const sale = (async (): Promise<Sale> => {
    const { body } = await insist(`buying ${work.name}`, { patience, ask: () => buyer.visitor.buy(work) })
    reached.asked.resolve()
    await insist(`paying for ${work.name}`, { patience, ask: () => pay(run, body.url, run.cards.approved) })
    reached.paid.resolve()
    let last: Order | undefined
    const order = await until(
      async () => {
        last = await buyer.visitor.order(body.orderId).catch(() => last)
        return last?.state === 'completed' && last
      },
      { patience, every: 250 },
    ).catch((error: Error) => {
      throw new Error(`order ${body.orderId} is ${last?.state}: ${error.message}`)
    })
    return { buyer, work, order }
  })()
  sale.catch((error) => {
    reached.asked.reject(error)
    reached.paid.reject(error)
  })
  // Whoever waits for no step misses nothing: the sale itself tells.
  reached.asked.promise.catch(() => {})
  reached.paid.promise.catch(() => {})
  return { sale, reached: { asked: reached.asked.promise, paid: reached.paid.promise } }
}
