import { connectMetamask, verifyEmail, walletChallenge } from '@nifty/api/auth/public'
import { setPrice } from '@nifty/api/catalog/public'
import { createWithdrawal } from '@nifty/api/minting/public'
import { orderNumber } from '@nifty/api/order-number'
import { logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { linkInMail } from '@nifty/testkit/mailbox'
import { createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'
import { operate } from './restored-store.ts'

const { run, folder } = await sharedStore()
const { ops } = operate({ run, folder })
const chain = openChain(run)
afterAll(chain.close)

const disputedCard = '4000000000000259'
const operator = ['--yes', '--reason', 'a test']

/** An account that may sell, with a confirmed address and a wallet. */
async function givenSeller() {
  const user = await createUser(run)
  // Ends the sessions of the account.
  expect(await ops('grant-admin', user.email, ...operator)).toMatchObject({ code: 0 })
  const client = await logIn(run, user)
  const link = await linkInMail(run, user.email, /https?:\/\/\S+\/accept\?token=\S+/)
  await client.send(verifyEmail, { body: { token: new URL(link).searchParams.get('token')! } })
  const wallet = Wallet.createRandom()
  const { body } = await client.send(walletChallenge, { body: { address: wallet.address } })
  const proof = { message: body.message, signature: await wallet.signMessage(body.message!) }
  await client.send(connectMetamask, { body: { userId: user.userId, metamaskAddress: wallet.address, ...proof } })
  const available = () => availableWork(client, ({ ownerUsername }) => ownerUsername !== user.username)
  return { user, client, available, wallet: wallet.address }
}

/** Buys a work into custody with a card whose holder disputes the payment as fraud. */
async function buyAndDispute({ client, user, available }: Awaited<ReturnType<typeof givenSeller>>) {
  const work = await available()
  const { body } = await client.buy(work, 'custody')
  await pay(run, body.url, disputedCard)
  await untilOrder(client, body.orderId, 'disputed')
  await waitUntil(async () => (await client.item(work)).ownerUsername === user.username)
  const token = { contract: work.contract, identifier: work.identifier }
  const disputeId = await waitUntil(
    async () =>
      (await ops('disputes')).output
        .split('\n')
        .find((line) => line.includes(orderNumber(body.orderId)))
        ?.split(' ', 1)[0],
  )
  return {
    work,
    disputeId,
    withdraw: async () => (await client.send(createWithdrawal, { body: token })).body.code ?? 'accepted',
    list: async () =>
      (await client.send(setPrice, { params: token, body: { price: 900, forSale: true } })).body.code ?? 'listed',
    close: (outcome: 'won' | 'lost') =>
      fetch(`${run.processorUrl}/sandbox/disputes/${disputeId}/close`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ outcome }),
      }),
  }
}

test('a disputed work stays where it is and its share waits until the dispute is won, or for good once it is lost', async () => {
  const buyer = await givenSeller()
  const won = await buyAndDispute(buyer)
  await waitUntil(async () => (await won.withdraw()) === 'work_contested')
  await waitUntil(async () => (await won.list()) === 'work_contested')
  const rows = (await ops('payouts')).output.split('\r\n')
  const seller = won.work.ownerUsername!.replace('@', '')
  expect(rows.find((row) => row.includes(`"${seller}"`))).toContain('disputed')
  expect((await ops('status')).output).toMatch(/STUCK dispute dp_\S+ of order/)
  await won.close('won')
  await waitUntil(async () => (await won.list()) === 'listed')

  const lost = await buyAndDispute(buyer)
  await lost.close('lost')
  const purchase = async () => (await buyer.client.buy(await buyer.available(), 'custody')).body.code ?? 'placed'
  await waitUntil(async () => (await purchase()) === 'purchase_blocked')
  expect([await lost.withdraw(), await lost.list()]).toEqual(['work_contested', 'work_contested'])

  await ops('allow-buyer', buyer.user.userId, ...operator)
  expect(await purchase()).toBe('placed')
  expect(await ops('clear-dispute', lost.disputeId, ...operator)).toMatchObject({ code: 0 })
  await waitUntil(async () => (await lost.withdraw()) === 'accepted')
  await waitUntil(async () => (await chain.ownerOf(lost.work)) === buyer.wallet)
})
