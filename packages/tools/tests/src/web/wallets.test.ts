import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { stepUpOn } from './step-up.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const settingsOf = ({ userId }: { userId: string }) => `/creator-profile-edit/${userId}`

test('a wallet announced by EIP-6963 is linked and proven with one signature', async () => {
  const person = await createUser(run)
  const { privateKey, address } = Wallet.createRandom()
  const page = await visit(settingsOf(person), {
    as: person,
    viewport: phone,
    expects: [403],
    prepare: (context) => installWallet(context, run, { privateKey }),
  })
  await page.getByRole('button', { name: 'Connect MetaMask' }).click()
  await stepUpOn(page, person.password)
  await page.getByText('MetaMask connected successfully!').waitFor()
  await page.getByText(address).waitFor()
  const { user } = (await apiClientOf(run, person).call('GET', '/api/auth/user')).body
  expect(user).toMatchObject({ metamaskAddress: address, walletProven: true })

  const other = await createUser(run)
  const taken = await visit(settingsOf(other), {
    as: other,
    expects: [400, 403],
    prepare: (context) => installWallet(context, run, { privateKey }),
  })
  await taken.getByRole('button', { name: 'Connect MetaMask' }).click()
  await stepUpOn(taken, other.password)
  await taken
    .getByRole('alert')
    .getByText(/already linked to another account/)
    .waitFor()
})

test('the wallet page leads to the settings, and visitors to the log-in', async () => {
  const person = await createUser(run)
  const page = await visit('/wallet', { as: person })
  await page.getByRole('main').getByRole('link', { name: 'In your settings' }).click()
  await page.getByRole('button', { name: 'Connect MetaMask' }).waitFor()
  const visitors = await visit('/wallet')
  await visitors.getByRole('main').getByRole('link', { name: 'In your settings' }).click()
  await visitors.getByRole('heading', { level: 1, name: 'Login' }).waitFor()
})

test('the dialog names two announced wallets, the chosen one is linked, and the one at window.ethereum is not asked', async () => {
  const person = await createUser(run)
  const [chosen, other] = [Wallet.createRandom(), Wallet.createRandom()]
  let unused: Awaited<ReturnType<typeof installWallet>> | undefined
  const page = await visit(itemPath(await availableWork(visitor)), {
    as: person,
    viewport: phone,
    expects: [403],
    prepare: async (context) => {
      await installWallet(context, run, { privateKey: chosen.privateKey })
      unused = await installWallet(context, run, { privateKey: other.privateKey, name: 'Rabby' })
    },
  })
  await page.getByRole('dialog').getByText('This browser has MetaMask and Rabby.').waitFor()

  await page.goto(settingsOf(person))
  await page.getByRole('button', { name: 'Connect Rabby' }).waitFor()
  await page.getByRole('button', { name: 'Connect MetaMask' }).click()
  await stepUpOn(page, person.password)
  await page.getByText(chosen.address).waitFor()
  expect(unused!.requests()).toEqual([])
})
