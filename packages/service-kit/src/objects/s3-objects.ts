import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { unavailable } from '../base/errors.ts'
import type { Bucket } from './object-settings.ts'
import {
  assertSafeName,
  isSafeName,
  LISTED_AT_ONCE,
  type ListedObject,
  type ObjectLog,
  type Objects,
} from './objects.ts'

const CONNECT_MS = 2_000
/** Of a request without a large body, with its repetitions. */
const ANSWER_MS = 4_000
/** Of a large file, 20 MB in half a minute, and of a page of a list. */
const LONG_MS = 30_000
/** Of a body that is passed on: longer than a reader may pause. */
const IDLE_MS = 40_000
const ATTEMPTS = 3
/** After a request without a response, one request in this time tries whether there is one again. */
const PAUSE_MS = 1_000
/** Between two lines of the log about one kind of failure. */
const REPORT_MS = 30_000
/** Each large file that is being read occupies one; more than the files that a gateway reads at a time. */
const CONNECTIONS = 256
/** Under way and waiting for a connection. */
const MAX_REQUESTS = 256
/** Smaller files are read at once, so that slow readers occupy no connection. Bytes. */
const READ_AT_ONCE = 1024 * 1024

const noLog = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** What an error of the SDK has; only these are logged, since others may have parts of a signed request. */
type Failure = { name?: string; message?: string; code?: string; $metadata?: { httpStatusCode?: number } }

/**
 * Objects of a bucket, below a prefix that ends with `/` or is empty. Credentials come from where the SDK finds them:
 * `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or the web identity of a service account. They need the rights to
 * list the bucket, and to read, write and delete its objects.
 */
export function openBucket({ name: Bucket, prefix, region, endpoint, pathStyle }: Bucket, log: ObjectLog): Objects {
  const client = new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    logger: noLog,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  })
  let running = 0
  let failing = false
  let nextTryAt = 0
  /** Until when an error of this name is not logged again. */
  const reported = new Map<string, number>()

  const refused = () => unavailable('storage_unavailable', 'Files are unavailable at the moment, please try again.')

  /** One request while it fails: others would each wait for the time limit. */
  function mayTry() {
    if (!failing) return running < MAX_REQUESTS
    if (performance.now() < nextTryAt) return false
    nextTryAt = performance.now() + PAUSE_MS
    return true
  }

  /**
   * Undefined for an object that is not there, where it may be missing. `limitMs`: milliseconds that the promise of the
   * request has at most.
   */
  async function send<Result>(
    request: (signal: AbortSignal) => Promise<Result>,
    { limitMs = ANSWER_MS, mayBeMissing = false } = {},
  ) {
    if (!mayTry()) throw refused()
    running++
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    try {
      const result = await request(limit.signal)
      failing = false
      return result
    } catch (error) {
      const failure = error as Failure
      const { httpStatusCode = 0 } = failure.$metadata ?? {}
      const answered = httpStatusCode >= 400 && httpStatusCode < 500
      failing = !answered
      if (mayBeMissing && isMissing(failure)) return undefined
      nextTryAt = performance.now() + PAUSE_MS
      report(failure, answered)
      throw refused()
    } finally {
      clearTimeout(timer)
      running--
    }
  }

  function report({ name = '', message, code, $metadata }: Failure, answered: boolean) {
    if (performance.now() < (reported.get(name) ?? 0)) return
    reported.set(name, performance.now() + REPORT_MS)
    const fields = { bucket: Bucket, error: name, code, status: $metadata?.httpStatusCode, reason: message }
    if (answered || sentences[name]) log.error(fields, sentences[name] ?? 'object storage: the server refuses')
    else log.warn(fields, 'object storage: no answer, files are a 503 meanwhile')
  }

  const at = (name: string) => {
    assertSafeName(name)
    return { Bucket, Key: `${prefix}${name}` }
  }
  const read = (Body: unknown, signal: AbortSignal) => buffer(addAbortSignal(signal, Body as Readable))

  async function* pages(): AsyncGenerator<ListedObject[], void> {
    let StartAfter: string | undefined
    do {
      const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: LISTED_AT_ONCE, StartAfter })
      const page = await send((abortSignal) => client.send(command, { abortSignal }), { limitMs: LONG_MS })
      const listed = (page?.Contents ?? []).map(({ Key = '', LastModified }) => ({
        name: Key.slice(prefix.length),
        isDraft: false,
        changedAt: LastModified,
      }))
      yield listed.filter(({ name }) => isSafeName(name))
      const next = page?.IsTruncated ? page.Contents?.at(-1)?.Key : undefined
      if (next !== undefined && next === StartAfter) throw refused()
      StartAfter = next
    } while (StartAfter)
  }

  // Not awaited: a store starts without its pictures. A failure is logged by `send`.
  pages()
    .next()
    .catch(() => {})

  return {
    async put(name, bytes) {
      const command = new PutObjectCommand({ ...at(name), Body: bytes })
      await send((abortSignal) => client.send(command, { abortSignal }), { limitMs: LONG_MS })
    },
    async open(name) {
      const command = new GetObjectCommand(at(name))
      return send(
        async (abortSignal) => {
          const { Body, ContentLength: size = 0 } = await client.send(command, { abortSignal })
          if (size > READ_AT_ONCE) return { size, stream: Body as Readable }
          const bytes = await read(Body, abortSignal)
          return { size: bytes.length, stream: Readable.from([bytes]) }
        },
        { mayBeMissing: true },
      )
    },
    async sizeOf(name) {
      const command = new HeadObjectCommand(at(name))
      return send(async (abortSignal) => (await client.send(command, { abortSignal })).ContentLength ?? 0, {
        mayBeMissing: true,
      })
    },
    async readable(name) {
      const command = new GetObjectCommand(at(name))
      const bytes = await send(
        async (abortSignal) => read((await client.send(command, { abortSignal })).Body, abortSignal),
        { limitMs: LONG_MS, mayBeMissing: true },
      )
      if (!bytes) throw new Error(`no object ${name}`)
      return bytes
    },
    list: pages,
    ageOf: async ({ changedAt }) => changedAt && Date.now() - changedAt.getTime(),
    async remove(name) {
      const command = new DeleteObjectCommand(at(name))
      await send((abortSignal) => client.send(command, { abortSignal }), { mayBeMissing: true })
    },
    close: () => client.destroy(),
  }
}

/** A response to HEAD has no text: that of a missing bucket is like that of a missing object. */
const isMissing = ({ name }: Failure) => name === 'NoSuchKey' || name === 'NotFound'

const noRight = 'object storage: the credentials may not list, read, write or delete objects of the bucket'
const sentences: Record<string, string> = {
  NotFound: 'object storage: there is no bucket at the endpoint of UPLOADS_URL',
  NoSuchBucket: 'object storage: the bucket of UPLOADS_URL does not exist',
  AccessDenied: noRight,
  Forbidden: noRight,
  '403': noRight,
  InvalidAccessKeyId: 'object storage: the server does not know the access key',
  SignatureDoesNotMatch: 'object storage: the secret access key is wrong',
  CredentialsProviderError: 'object storage: there are no credentials, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  PermanentRedirect: 'object storage: the bucket is in another region than UPLOADS_URL says',
}
