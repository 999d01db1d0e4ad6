import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { originalFileName } from '@nifty/api/work-image'
import { parse } from 'content-disposition'
import { expect, test } from 'vitest'
import { givenAccount, givenWork } from '../testing/fixtures.ts'
import { animatedGif, cameraJpeg, pngOf } from '../testing/image-files.ts'
import { postMint } from '../testing/mint-form.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting({ mintsPerHour: 100 })
const { chain, until, bearer } = minting
const { userId } = await givenAccount(minting, { admin: true })

const download = (identifier: string, reader: string | null = userId, contract = chain.collection) =>
  minting.app.inject({
    url: `/uploads/originals/${contract}/${identifier}`,
    headers: reader === null ? {} : bearer(reader),
  })

async function givenMinted(bytes: Buffer, name = 'Dusk') {
  const { _id, image } = (await postMint(minting, userId, { files: [{ bytes }], fields: { name } })).json()
  const identifier: string = await until(async () => {
    const url = `/api/mints/${_id}`
    const { state, identifier: minted } = (await minting.app.inject({ url, headers: bearer(userId) })).json()
    return state === 'minted' && minted
  })
  return { image: image as string, identifier }
}

test.each([
  ['png', 'image/png', await pngOf()],
  ['gif', 'image/gif', await animatedGif()],
  ['jpg', 'image/jpeg', await cameraJpeg(640, 480)],
])('the owner of a work downloads its %s file, which has the hash of the metadata', async (extension, type, bytes) => {
  const { image, identifier } = await givenMinted(bytes, 'Größe 木')

  const answer = await download(identifier)

  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'content-length': String(answer.rawPayload.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const { type: disposition, parameters } = parse(String(answer.headers['content-disposition']))
  expect([disposition, parameters.filename]).toEqual(['attachment', `Größe 木.${extension}`])
  const master = (await minting.app.inject(image)).rawPayload
  expect(answer.rawPayload.equals(master)).toBe(true)
  const { image_sha256 } = (await minting.app.inject(`/api/tokens/${chain.collection}/${identifier}`)).json()
  expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(image_sha256)
})

test('nobody else downloads it', async () => {
  const { identifier } = await givenMinted(await pngOf())
  const other = await givenAccount(minting, { admin: true })
  expect((await download(identifier, other.userId)).json()).toMatchObject({ code: 'not_owner' })
  expect((await download(identifier, other.userId)).statusCode).toBe(403)
  expect((await download(identifier, null)).statusCode).toBe(401)
})

test('a token that is not there, or of another contract, is a 404, as is a work whose file is lost', async () => {
  expect((await download('123456789')).statusCode).toBe(404)
  expect((await download('x'.repeat(300))).statusCode).toBe(404)
  const { image, identifier } = await givenMinted(await pngOf())
  expect((await download(identifier, userId, chain.delivery)).statusCode).toBe(404)
  await rm(join(minting.uploadsDir, 'nfts/master', image.split('/').at(-1)!))
  expect((await download(identifier)).json()).toMatchObject({ code: 'token_not_found' })
})

test('the former owner of a work downloads it no more', async () => {
  const work = await givenWork(minting, { creatorId: userId })
  // It has no file, which only its owner is told.
  expect((await download(work.identifier)).statusCode).toBe(404)
  await minting.db.updateTable('token').set({ ownerId: null }).where('token', '=', work.token).execute()
  expect((await download(work.identifier)).statusCode).toBe(403)
})

test.each([
  ['Dusk', 'Dusk.png'],
  ['木漏れ日', '木漏れ日.png'],
  ['غروب\u200cها', 'غروب\u200cها.png'],
  ['👩\u200d🎨 at work', '👩\u200d🎨 at work.png'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.png'],
  ['../../etc/passwd', 'etc passwd.png'],
  ['moc.gpj\u202e.exe', 'moc.gpj .exe.png'],
  ['line\u0000feed\r\n', 'line feed.png'],
  ['...', 'Work.png'],
  ['  .hidden. ', 'hidden.png'],
  ['CON', 'Work CON.png'],
  ['nul.txt', 'Work nul.txt.png'],
  ['Concert', 'Concert.png'],
])('the work %j is saved as %j', (name, file) => {
  expect(originalFileName(name, 'png')).toBe(file)
})
