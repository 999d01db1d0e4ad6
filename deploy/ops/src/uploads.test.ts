import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { copyObjects } from '@nifty/service-kit/objects/copy-objects'
import { openFolder } from '@nifty/service-kit/objects/folder-objects'
import { objectSettingsOf } from '@nifty/service-kit/objects/object-settings'
import type { Objects } from '@nifty/service-kit/objects/objects'
import { contentOf, namesIn } from '@nifty/service-kit/objects/objects.conformance'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import { testLog } from '@nifty/service-kit/testing/log'
import { afterAll, expect, test, vi } from 'vitest'

const FILES = 300
const main = join(import.meta.dirname, 'main.ts')
const storage = await startObjectStorage({ folder: await temporaryFolder('objects') })
afterAll(storage.stop)
for (const [name, value] of Object.entries(storage.credentials)) process.env[name] = value
const opened: Objects[] = []
afterAll(() => {
  for (const each of opened) each.close()
})

/** A prefix of its own for each test. */
async function bucketOf(prefix: string) {
  const url = storage.url.replace('?', `/${prefix}?`)
  const bucket = await openObjects(objectSettingsOf({ UPLOADS_URL: url }), '', testLog)
  opened.push(bucket)
  return { url, bucket }
}

function start(url: string | undefined, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, NIFTY_HOME: '/nowhere', UPLOADS_URL: url, ...storage.credentials }
  const child = spawn(process.execPath, [main, 'uploads', 'copy', ...args, '--yes'], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = once(child, 'close').then(([code]) => ({ code, output: output.trim() }))
  return { child, ended }
}
const copy = (url: string | undefined, ...args: string[]) => start(url, ...args).ended

async function givenFolder(files: number) {
  const folder = await temporaryFolder('pictures')
  await mkdir(join(folder, 'nfts/master'), { recursive: true })
  const names = Array.from({ length: files }, (_, count) => `nfts/master/${String(count).padStart(4, '0')}.png`)
  await Promise.all(names.map((name) => writeFile(join(folder, name), Buffer.alloc(20_000, name))))
  return { folder, names }
}

test('a copy that was killed in the middle is completed by the next one, and drafts are left out', async () => {
  const { folder, names } = await givenFolder(FILES)
  await writeFile(join(folder, `nfts/master/0000.png.${crypto.randomUUID()}`), 'half')
  const { url, bucket } = await bucketOf('killed')
  const first = start(url, folder)
  await vi.waitFor(async () => expect((await namesIn(bucket)).length).toBeGreaterThan(20), {
    timeout: 20_000,
    interval: 5,
  })
  first.child.kill('SIGKILL')
  await first.ended
  const { code, output } = await copy(url, folder)
  const [, copied, before] = /: (\d+) copied .* (\d+) were in the bucket/.exec(output) ?? []
  expect([code, Number(copied) + Number(before)]).toEqual([0, FILES])
  expect(Number(copied)).toBeGreaterThan(0)
  expect(Number(before)).toBeGreaterThan(20)
  expect(await namesIn(bucket)).toEqual(names)
  for (const name of [names[0]!, names.at(-1)!])
    expect((await contentOf(bucket, name))!.equals(Buffer.alloc(20_000, name))).toBe(true)
  expect(await copy(url, folder)).toEqual({
    code: 0,
    output: `${FILES} files in ${folder}: 0 copied (0.0 MB), ${FILES} were in the bucket.`,
  })
})

test('a picture of another size is copied again, one of other bytes is found by --contents', async () => {
  const { folder, names } = await givenFolder(3)
  const { url, bucket } = await bucketOf('different')
  await bucket.put(names[0]!, Buffer.from('shorter'))
  await bucket.put(names[1]!, Buffer.alloc(20_000, 'x'))
  expect(await copy(url, folder)).toMatchObject({ code: 0, output: expect.stringContaining('2 copied') })
  const { code, output } = await copy(url, folder, '--contents')
  expect([code, output]).toEqual([1, expect.stringContaining(`1 have another content there:\n${names[1]}`)])
})

test('a picture that is removed while it is copied is in the bucket no more', async () => {
  const { folder, names } = await givenFolder(1)
  const { bucket } = await bucketOf('removed')
  const to: Objects = {
    ...bucket,
    put: async (name, bytes) => {
      await bucket.put(name, bytes)
      await rm(join(folder, name))
    },
  }
  await copyObjects(await openFolder(folder), to, { onProgress: () => {} })
  expect(await bucket.sizeOf(names[0]!)).toBeUndefined()
})

test('a missing folder, setting or bucket is one sentence', async () => {
  const { folder } = await givenFolder(1)
  const { url } = await bucketOf('wrong')
  expect(await copy(url, '/nowhere/at-all')).toEqual({ code: 2, output: '/nowhere/at-all is not a folder' })
  expect(await copy(undefined, folder)).toEqual({ code: 2, output: 'UPLOADS_URL is not set' })
  expect(await copy('s3://key:secret@bucket', folder)).toMatchObject({
    code: 2,
    output: expect.stringContaining('no credentials'),
  })
  const { code, output } = await copy(url.replace('//nifty', '//other'), folder)
  expect([code, output]).toEqual([1, expect.stringContaining('the bucket of UPLOADS_URL does not exist')])
})
