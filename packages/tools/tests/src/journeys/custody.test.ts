import { deleteAccount } from '@nifty/api/auth/deletion'
import { connectMetamask, verifyEmail, walletChallenge } from '@nifty/api/auth/public'
import { createWithdrawal } from '@nifty/api/minting/public'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { linkInMail } from '@nifty/testkit/mailbox'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run } = await sharedStore()
const chain = openChain(run)
afterAll(chain.close)

test('an account without a wallet buys into custody, links a wallet later and withdraws to it, and is deleted', async () => {
  const user = await createUser(run)
  const client = apiClientOf(run, user)
  const work = await availableWork(client)
  expect((await client.buy(work)).body).toMatchObject({ message: 'Please connect your Metamask account.' })
  const { body } = await client.buy(work, 'custody')
  await pay(run, body.url, run.cards.approved)
  expect(await untilOrder(client, body.orderId, 'completed')).toMatchObject({ captured: work.price, wallet: null })
  await waitUntil(async () => (await client.item(work)).ownerUsername === user.username)

  const link = await linkInMail(run, user.email, /https?:\/\/\S+\/accept\?token=\S+/)
  await client.send(verifyEmail, { body: { token: new URL(link).searchParams.get('token')! } })
  const wallet = Wallet.createRandom()
  const challenge = await client.send(walletChallenge, { body: { address: wallet.address } })
  const { message } = challenge.body
  const proof = { message, signature: await wallet.signMessage(message!) }
  const { status } = await client.send(connectMetamask, {
    body: { userId: user.userId, metamaskAddress: wallet.address, ...proof },
  })
  expect(status).toBe(200)
  // Minting learns of the wallet by an event.
  const { contract, identifier } = work
  await waitUntil(async () => (await client.send(createWithdrawal, { body: { contract, identifier } })).status === 202)
  await waitUntil(async () => (await chain.ownerOf(work)) === wallet.address)
  // Auth learns of the withdrawal by an event.
  await waitUntil(async () => (await client.send(deleteAccount, { params: { id: user.userId } })).status === 200)
})
