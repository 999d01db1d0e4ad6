import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { openFolder } from './folder-objects.ts'
import { objectSettingsOf } from './object-settings.ts'
import { contentOf, namesIn, pagesOf, testObjects } from './objects.conformance.ts'
import type { ObjectLog, OpenedObject } from './objects.ts'
import { openObjects } from './open-objects.ts'

/** `OBJECT_STORAGE=1`: the same tests on a server for production. */
const server = process.env.OBJECT_STORAGE ? 'versitygw' : 'npm'
const storage = await startObjectStorage({ folder: await temporaryFolder('objects'), server })
afterAll(storage.stop)
beforeEach(() => {
  for (const [name, value] of Object.entries(storage.credentials)) vi.stubEnv(name, value)
})

const opened: { close: () => void }[] = []
afterAll(() => {
  for (const each of opened) each.close()
})
async function openBucket({
  url = storage.url,
  part = randomUUID() as string,
  folder = undefined as string | undefined,
  log = testLog as ObjectLog,
} = {}) {
  const objects = await openObjects(objectSettingsOf({ UPLOADS_URL: url, UPLOADS_DIR: folder }), part, log)
  opened.push(objects)
  return objects
}
const unavailable = { code: 'storage_unavailable', statusCode: 503 }
const bytes = Buffer.from('bytes')

testObjects('a folder', async () => openFolder(await temporaryFolder('objects')))
testObjects('a bucket', () => openBucket())
testObjects('a bucket below a prefix', () => openBucket({ url: storage.url.replace('?', '/shop/a?') }))

test('parts of a bucket do not see each other, and one is listed without those whose names begin alike', async () => {
  const part = randomUUID()
  const [one, other] = [await openBucket({ part }), await openBucket({ part: `${part}s` })]
  await one.put('a.bin', bytes)
  await other.put('b.bin', bytes)
  expect([await namesIn(one), await namesIn(other)]).toEqual([['a.bin'], ['b.bin']])
})

test('a folder tells drafts of killed processes from files', async () => {
  const folder = await temporaryFolder('objects')
  const objects = await openFolder(folder)
  await objects.put('part/a.webp', bytes)
  const drafts = [`part/a.webp.${randomUUID()}`, '.a.webp.part']
  for (const draft of drafts) await writeFile(join(folder, draft), 'half')
  await writeFile(join(folder, '.hidden'), 'not ours')
  await utimes(join(folder, drafts[0]!), 1, 1)
  const listed = (await pagesOf(objects)).flat()
  expect(Object.fromEntries(listed.map(({ name, isDraft }) => [name, isDraft]))).toEqual({
    'part/a.webp': false,
    [drafts[0]!]: true,
    [drafts[1]!]: true,
  })
  expect(await objects.ageOf({ name: drafts[0]!, isDraft: true })).toBeGreaterThan(86_400_000)
  for (const name of drafts) await objects.remove(name)
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['.hidden', 'part', 'part/a.webp'])
})

test('a write that fails leaves no draft', async () => {
  const folder = await temporaryFolder('objects')
  const objects = await openFolder(folder)
  await mkdir(join(folder, 'a.bin'))
  await expect(objects.put('a.bin', bytes)).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['a.bin'])
})

describe('while objects move from a folder to a bucket', () => {
  test('new ones are in both, old ones are found, a removed one is gone from both', async () => {
    const [folder, part] = [await temporaryFolder('objects'), randomUUID()]
    const files = await openFolder(join(folder, part))
    const [bucket, moving] = [await openBucket({ part }), await openBucket({ part, folder })]
    await files.put('old.bin', bytes)
    await moving.put('new.bin', bytes)
    await bucket.put('later.bin', bytes)
    for (const name of ['old.bin', 'new.bin', 'later.bin']) {
      expect((await contentOf(moving, name))?.equals(bytes)).toBe(true)
      expect(await moving.sizeOf(name)).toBe(5)
    }
    expect([await namesIn(files), await namesIn(bucket)]).toEqual([
      ['new.bin', 'old.bin'],
      ['later.bin', 'new.bin'],
    ])
    expect(await namesIn(moving)).toEqual(['later.bin', 'new.bin', 'new.bin', 'old.bin'])
    await moving.remove('new.bin')
    expect([await namesIn(files), await namesIn(bucket)]).toEqual([['old.bin'], ['later.bin']])
  })
})

describe('a server that does not answer', () => {
  test('costs one request its time limit, the next ones nothing, and works again by itself', async () => {
    const objects = await openBucket()
    await objects.put('a.bin', bytes)
    await storage.hang()
    try {
      await expect(objects.open('a.bin')).rejects.toMatchObject(unavailable)
      const start = performance.now()
      const refused = await Promise.allSettled(Array.from({ length: 100 }, () => objects.open('a.bin')))
      expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
      expect(performance.now() - start).toBeLessThan(1_000)
    } finally {
      await storage.goOn()
    }
    await vi.waitFor(async () => expect((await contentOf(objects, 'a.bin'))!.equals(bytes)).toBe(true), 10_000)
  })

  test('or is stopped refuses files, and loses none of those it had', async () => {
    const objects = await openBucket()
    await objects.put('a.bin', bytes)
    await storage.halt('SIGKILL')
    await expect(objects.open('a.bin')).rejects.toMatchObject(unavailable)
    await expect(objects.put('b.bin', bytes)).rejects.toMatchObject(unavailable)
    await expect(objects.list().next()).rejects.toMatchObject(unavailable)
    await storage.resume()
    await vi.waitFor(async () => expect(await namesIn(objects)).toEqual(['a.bin']), 10_000)
  })

  test('in the middle of a large file ends its stream with an error', async () => {
    const objects = await openBucket()
    await objects.put('large.bin', Buffer.alloc(8 * 1024 * 1024))
    const { stream } = (await objects.open('large.bin'))!
    await storage.halt('SIGKILL')
    await expect(stream.toArray()).rejects.toThrow()
    await storage.resume()
  })
})

/** A server that is no bucket: it sends the same response to every request, and counts them. */
async function startServer(status: number, headers: Record<string, string>, body: string | Buffer) {
  const state = { requests: 0 }
  const server = createServer((_request, response) => {
    state.requests++
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const objects = await openBucket({ url: `s3://nifty?endpoint=${endpoint}`, part: '' })
  return { state, objects }
}

const list = (keys: string[]) =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>${keys
    .map((key) => `<Contents><Key>${key}</Key></Contents>`)
    .join('')}</ListBucketResult>`

test('a server that returns the same page of a list again and again ends it with an error', async () => {
  const { objects, state } = await startServer(200, {}, list(['a.bin', '../../etc/passwd']))
  await expect(namesIn(objects)).rejects.toMatchObject(unavailable)
  expect(state.requests).toBeLessThan(4)
})

test.each([
  ['HTML', 200, { 'content-type': 'text/html' }, '<html>a list'],
  ['a redirect', 301, { location: 'http://127.0.0.1:1/' }, ''],
  ['a refusal', 403, {}, '<Error><Code>AccessDenied</Code></Error>'],
])('a server that answers with %s has no list', async (_, status, headers, body) => {
  const { objects } = await startServer(status, headers as Record<string, string>, body)
  await expect(namesIn(objects)).rejects.toMatchObject(unavailable)
})

function openLog() {
  const lines: { fields: unknown; message: string }[] = []
  const write = (fields: unknown, message: string) => void lines.push({ fields, message })
  return { lines, log: { warn: write, error: write } }
}

test('a bucket that is not there is one line of the log, and a 503', async () => {
  const { lines, log } = openLog()
  const other = await openBucket({ url: storage.url.replace('//nifty', '//other'), log })
  for (let time = 0; time < 3; time++) await expect(other.put('a.bin', bytes)).rejects.toMatchObject(unavailable)
  expect(lines.map(({ message }) => message)).toEqual(['object storage: the bucket of UPLOADS_URL does not exist'])
})

test('a server that is none of objects stores nothing, and a write to it fails', async () => {
  const other = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { lines, log } = openLog()
  const { port } = other.address() as AddressInfo
  const objects = await openBucket({ url: `s3://nifty?endpoint=http://127.0.0.1:${port}`, log })
  await expect(objects.put('a.bin', bytes)).rejects.toMatchObject(unavailable)
  await expect(objects.list().next()).rejects.toMatchObject(unavailable)
  expect(lines.map(({ message }) => message)).toEqual([
    'object storage: there is no bucket at the endpoint of UPLOADS_URL',
  ])
})

test('large files whose readers pause leave room for others', async () => {
  const objects = await openBucket()
  await objects.put('large.bin', Buffer.alloc(4 * 1024 * 1024))
  const paused: OpenedObject[] = []
  onTestFinished(() => {
    for (const { stream } of paused) stream.destroy()
  })
  // One after the other: the server reads the whole object for each, and a response has a limit of time.
  while (paused.length < 130) paused.push((await objects.open('large.bin'))!)
  expect(await objects.sizeOf('large.bin')).toBe(4 * 1024 * 1024)
})

/** The server from npm takes any credentials. */
const checkedCredentials =
  server === 'versitygw'
    ? ([
        ['AWS_ACCESS_KEY_ID', 'object storage: the server refuses'],
        ['AWS_SECRET_ACCESS_KEY', 'object storage: the secret access key is wrong'],
      ] as const)
    : []
test.each(checkedCredentials)('a wrong %s is a line of the log without it', async (variable, sentence) => {
  const { lines, log } = openLog()
  vi.stubEnv(variable, 'a-wrong-value')
  const wrong = await openBucket({ log })
  for (let time = 0; time < 3; time++) await expect(wrong.open('a.bin')).rejects.toMatchObject(unavailable)
  expect(lines.map(({ message }) => message)).toEqual([sentence])
  expect(JSON.stringify(lines)).not.toMatch(/a-wrong-value|nifty-development|Signature=|authorization/i)
})

const example = /UPLOADS_URL must be like s3:\/\//
test.each([
  ['http://bucket', example],
  ['s3://', example],
  ['s3://UPPER?region=a', example],
  ['s3://bucket', example],
  ['s3://bucket/../x?region=a%2Fb', example],
  ['s3://bucket/.hidden?region=a', example],
  ['s3://bucket/a//b?region=a', example],
  ['s3://bucket?region=a&region=b', example],
  ['s3://bucket?region=a&secret=b', example],
  ['s3://bucket?region=a#b', example],
  ['s3://key:secret@bucket?region=a', /no credentials/],
  ['s3://bucket?endpoint=ftp://host', /endpoint/],
  ['s3://bucket?endpoint=https://key:secret@host', /endpoint/],
  ['s3://bucket?endpoint=https://host/path', /endpoint/],
  ['s3://bucket?region=a&pathStyle=yes', /pathStyle/],
])('the setting %s is refused in one sentence', (url, sentence) => {
  expect(() => objectSettingsOf({ UPLOADS_URL: url })).toThrow(sentence)
  expect(() => objectSettingsOf({ UPLOADS_URL: url })).not.toThrow(/secret@|key:/)
})

test('a bucket of AWS and one of another server are understood', () => {
  expect(objectSettingsOf({ UPLOADS_URL: 's3://works/shop/?region=eu-central-1' }).bucket).toEqual({
    name: 'works',
    prefix: 'shop/',
    region: 'eu-central-1',
    endpoint: undefined,
    pathStyle: false,
  })
  expect(objectSettingsOf({ UPLOADS_URL: 's3://works?endpoint=https://minio:9000' }).bucket).toEqual({
    name: 'works',
    prefix: '',
    region: 'us-east-1',
    endpoint: 'https://minio:9000',
    pathStyle: true,
  })
  expect(() => objectSettingsOf({})).toThrow('UPLOADS_DIR or UPLOADS_URL is required')
})
