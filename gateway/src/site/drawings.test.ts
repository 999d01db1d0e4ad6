import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { lookOf } from '@nifty/site/share-images/look'
import { createShareImages } from '@nifty/site/share-images/share-images'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { stub } from '../testing/gateway.ts'

const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#ff0000' } })
  .webp()
  .toBuffer()

const look = lookOf({ theme: {}, shareBackground: undefined })

/** Images of works named by one letter; `drawn` are the names in the order of their drawing. */
function startImages(options: { maxBytes?: number } = {}) {
  const drawn: string[] = []
  const minting = createApp({ log: testLog, name: 'minting' })
  stub(minting, '/uploads/nfts/:file', async ({ params }, reply) => {
    drawn.push((params as { file: string }).file)
    return reply.type('image/webp').send(picture)
  })
  const images = createShareImages({ minting: { app: minting }, look, ...options })
  const get = (title: string, client = title) =>
    images.get(
      { title, artist: '', price: '', pictures: [`/uploads/nfts/${title}`], store: 'Nifty', look: look.version },
      client,
    )
  return { get, drawn }
}

test('fifty images wait to be drawn, further ones are a 429', async () => {
  const { get } = startImages()
  const calls = await Promise.allSettled(Array.from({ length: 54 }, (_, index) => get(`${index}`)))
  const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []))
  // One is drawn while fifty wait.
  expect(refused).toHaveLength(54 - 51)
  for (const reason of refused) expect(reason).toMatchObject({ statusCode: 429 })
})

test('of one client five wait to be drawn, and others are drawn meanwhile', async () => {
  const { get } = startImages()
  const ofOne = Array.from({ length: 20 }, (_, index) => get(`${index}`, 'one'))
  const ofOther = get('other')
  const refused = (await Promise.allSettled(ofOne)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(20 - 6)
  await expect(ofOther).resolves.toMatchObject({ isFinal: true })
})

test('the images in memory are bounded, and the least recently used one goes first', async () => {
  const { jpeg } = await startImages().get('a')
  const { get, drawn } = startImages({ maxBytes: 2.5 * jpeg.length })
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await get(name)
  expect(drawn).toEqual(['a', 'b', 'c', 'b'])
})
