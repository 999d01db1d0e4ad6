import { setOfferMinimum } from '@nifty/api/catalog/offers'
import { getNft, type Nft, setPrice } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { createMint, createPermit, getMint, type Mint, requestPermit } from '@nifty/api/minting/public'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { expectOk, type Person } from './accounts.ts'
import { png } from './png.ts'

/** A work for sale. */
export type Work = Pick<Nft, '_id' | 'contract' | 'identifier' | 'price' | 'name'> & { seller: Person; holder: Holder }
type Holder = 'custody' | 'wallet'
type Wanted = { name: string; seller: Person; holder: Holder; cents: number; takesOffers: boolean }

export const LEAST_OFFER_CENTS = 50

/** Where works go that their sellers move away. */
export const ELSEWHERE = '0x00000000000000000000000000000000000f10a7'
const CONCURRENT = 24
const LISTED = { timeoutMs: 600_000, intervalMs: 500 }

/** Mints works and lists them; those in wallets with a permit of their seller. */
export async function createWorks(run: RunFile, wanted: Wanted[]): Promise<Work[]> {
  const works: Work[] = []
  const queue = wanted.map((work, place) => ({ ...work, place }))
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) works[next.place] = await createWork(run, next)
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return works
}

async function createWork(run: RunFile, wanted: Wanted & { place: number }): Promise<Work> {
  const { name, seller, holder, cents, takesOffers } = wanted
  const { client } = seller
  const price = cents / 100
  const { _id } = await mint(run, wanted)
  const minted = await waitUntil(async () => {
    const { body } = await client.send(getMint, { params: { id: _id } })
    return body.state === 'minted' && body
  }, LISTED)
  const token = { contract: minted.contract, identifier: minted.identifier! }
  await waitUntil(
    async () => (await client.send(getNft, { params: { username: '@a', ...token } })).status === 200,
    LISTED,
  )
  if (holder === 'wallet') await permit(seller, token)
  await waitUntil(async () => {
    const { status } = await client.send(setPrice, { params: token, body: { price, forSale: true } })
    return status === 200
  }, LISTED)
  if (takesOffers) {
    const body = { minimum: LEAST_OFFER_CENTS / 100 }
    const confirmed = await seller.steppedUp()
    await expectOk(`offers for ${name}`, () => confirmed.send(setOfferMinimum, { params: token, body }))
  }
  return { _id, ...token, price, name, seller, holder }
}

/** Minting learns of granted rights and linked wallets by events, and refuses before; it takes few uploads at once. */
async function mint(run: RunFile, { name, seller, holder, place }: Wanted & { place: number }): Promise<Mint> {
  const send = async () => {
    const form = new FormData()
    const fields = { name, description: 'A work of the campaign.', category: 'Art', holder }
    for (const [field, text] of Object.entries(fields)) form.append(field, text)
    const colour: [number, number, number] = [place & 255, (place >> 8) & 255, 128]
    form.append('image', new Blob([png(colour)], { type: 'image/png' }), 'work.png')
    const response = await fetch(run.url + endpointUrl(createMint, {}), {
      method: 'POST',
      headers: { authorization: `Bearer ${seller.token}`, 'idempotency-key': `storm-${place}` },
      body: form,
    })
    const body = (await response.json()) as Mint & { code?: string }
    const isEarly = [403, 429].includes(response.status) || body.code === 'wallet_required'
    if (response.status >= 400 && !isEarly && response.status < 500)
      throw new Error(`mint of ${name}: ${response.status} ${JSON.stringify(body)}`)
    return response.status < 300 && body
  }
  return waitUntil(send, LISTED)
}

type TypedData = { domain: object; types: Record<string, { name: string; type: string }[]>; message: object }

async function permit({ client, wallet, name }: Person, token: { contract: string; identifier: string }) {
  const { typedData, deadline } = await expectOk(`permit of ${name}`, () =>
    client.send(requestPermit, { params: token }),
  )
  const { domain, types, message } = typedData as TypedData
  const { EIP712Domain: _, ...own } = types
  const signature = await wallet.signTypedData(domain, own, message)
  await expectOk(`permit of ${name}`, () => client.send(createPermit, { body: { ...token, deadline, signature } }))
}
