import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { startTestGateway, stub } from '../testing/gateway.ts'
import { poolSizes } from './pools.ts'

test('all networks of an IPv6 /48 together have the share of one client', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  const held = Promise.withResolvers<void>()
  let arrived = 0
  stub(catalog, '/api/nfts/market', async () => {
    arrived++
    await held.promise
    return { nfts: [] }
  })
  const api = { ...poolSizes.api, places: 4, placesPerClient: 2, waiting: 1, waitingPerClient: 0 }
  const { url } = await startTestGateway(
    { catalog: { app: catalog } },
    { pools: { ...poolSizes, api }, trustedProxies: ['127.0.0.1'] },
  )
  const send = async (address: string) =>
    (await fetch(`${url}/api/nfts/market?page=${address}`, { headers: { 'x-forwarded-for': address } })).status

  const first = ['2001:db8:1:1::1', '2001:db8:1:2::1'].map(send)
  await expect.poll(() => arrived).toBe(2)
  expect(await send('2001:db8:1:3::1')).toBe(503)
  const other = ['2001:db8:2:1::1', '192.0.2.1'].map(send)
  await expect.poll(() => arrived).toBe(4)
  held.resolve()
  expect(await Promise.all([...first, ...other])).toEqual([200, 200, 200, 200])
})
