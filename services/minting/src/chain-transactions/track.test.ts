import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain, db, until } = minting

const sell = async (work: Work) => authorise(minting, work, { wallet: (await chain.newWallet()).address })
const transactionOf = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  return db.selectFrom('chainTransaction').selectAll().where('id', '=', transactionId!).executeTakeFirstOrThrow()
}

test('a transaction whose receipt the node refuses to send delays no later one of its signer', async () => {
  const [work, next] = [await givenWork(minting), await givenWork(minting)]
  await chain.mineEachTransaction(false)
  const first = await sell(work)
  await untilState(minting, first.lineId, 'signed', { mining: false })
  const { id } = await transactionOf(first.lineId)
  const { hash } = await db
    .selectFrom('attempt')
    .select('hash')
    .where('transactionId', '=', id)
    .executeTakeFirstOrThrow()
  chain.proxy.intercept(({ method, params }) =>
    method === 'eth_getTransactionReceipt' && params[0] === hash
      ? { error: { code: -32603, message: 'internal error' } }
      : undefined,
  )
  await chain.mineEachTransaction(true)
  const second = await sell(next)
  await untilState(minting, second.lineId, 'final')
  await until(async () => (await transactionOf(second.lineId)).state === 'final')
  expect((await transactionOf(first.lineId)).state).toBe('signed')

  chain.proxy.heal()
  await until(async () => (await transactionOf(first.lineId)).state === 'final')
})
