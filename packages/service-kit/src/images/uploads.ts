import multipart, { type MultipartFile } from '@fastify/multipart'
import { withLineFeeds } from '@nifty/api/line-breaks'
import type { FastifyRequest } from 'fastify'
import { ExpectedError, invalid } from '../base/errors.ts'
import { type ImageFormat, imageFormatOf, notAnImage } from './image-format.ts'
import type { CountBytes } from './upload-places.ts'

/** Register it in the scope of the upload route alone: all other routes then refuse multipart bodies with 415. */
export const multipartForms = multipart

const MEGABYTE = 1024 * 1024
/** `format` is that of the content; `fields` are the text fields of the form, with LF for line breaks. */
export type ImageUpload = { bytes: Buffer; format: ImageFormat; fields: Map<string, string> }

/** Others wait for the place of an upload and for its memory. */
const STALLED_MS = 10_000

/** `countBytes`: of the upload's place. `stalledMs`: without progress for so long, the upload ends. */
type Form = { fileField: string; maxBytes: number; maxFields?: number; countBytes: CountBytes; stalledMs?: number }

const invalidForm = () => invalid('invalid_form', 'Invalid form')
/** Nothing reads the rest of the request: the connection closes. */
const requestTimeout = () =>
  new ExpectedError('timeout', 'request_timeout', 'The request took too long to arrive', {
    headers: { connection: 'close' },
  })

/**
 * Reads a multipart form with one image in the field `fileField` and at most `maxFields` text fields. The time that an
 * upload may take is the server's limit of a request; then the connection closes, and reading ends. Errors: 400
 * `not_an_image` or `invalid_form`, 408 `request_timeout` without progress for 10 s, 413 `too_large`, 415
 * `unsupported_media_type`.
 */
export async function readImageUpload(request: FastifyRequest, form: Form): Promise<ImageUpload> {
  if (!request.isMultipart())
    throw new ExpectedError('unsupported', 'unsupported_media_type', 'Please send multipart/form-data')

  try {
    return await readParts(request, form)
  } catch (error) {
    throw expectedError(error)
  }
}

async function readParts(
  request: FastifyRequest,
  { fileField, maxBytes, maxFields = 5, countBytes, stalledMs = STALLED_MS }: Form,
): Promise<ImageUpload> {
  const limits = {
    files: 1,
    fileSize: maxBytes,
    fields: maxFields,
    fieldSize: 20_000,
    parts: maxFields + 2,
    fieldNameSize: 100,
  }
  const fields = new Map<string, string>()
  let bytes: Buffer | undefined
  for await (const part of arriving(request.parts({ limits, preservePath: true }), stalledMs)) {
    if (part.type === 'file') bytes = await readFile(part, { fileField, maxBytes, countBytes, stalledMs })
    // The parser replaces bytes that are not UTF-8.
    else if (part.valueTruncated || typeof part.value !== 'string' || part.value.includes('\ufffd')) throw invalidForm()
    else if (fields.has(part.fieldname)) throw invalidForm()
    else fields.set(part.fieldname, withLineFeeds(part.value))
  }
  const format = bytes && imageFormatOf(bytes)
  if (!bytes || !format) throw notAnImage()
  return { bytes, format, fields }
}

/** The values of a source, which is not ended early. Throws 408 when the next one takes longer than `stalledMs`. */
async function* arriving<Value>(source: AsyncIterable<Value>, stalledMs: number): AsyncGenerator<Value> {
  const values = source[Symbol.asyncIterator]()
  for (;;) {
    const { promise: stalled, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(requestTimeout()), stalledMs)
    const next = await Promise.race([values.next(), stalled]).finally(() => clearTimeout(timer))
    if (next.done) return
    yield next.value
  }
}

type FileForm = Omit<Form, 'maxFields'> & { stalledMs: number }

async function readFile({ fieldname, file }: MultipartFile, form: FileForm): Promise<Buffer> {
  if (fieldname !== form.fileField) throw notAnImage()
  const chunks: Buffer[] = []
  let refusal: unknown
  // To its end, also when it is refused: the parser does not take a stream that ends in the middle.
  for await (const chunk of arriving<Buffer>(file, form.stalledMs)) {
    if (refusal) continue
    try {
      form.countBytes(chunk.length)
      chunks.push(chunk)
    } catch (error) {
      refusal = error
      chunks.length = 0
    }
  }
  if (refusal) throw refusal
  if (file.truncated)
    throw new ExpectedError('too_large', 'too_large', `The image may have at most ${form.maxBytes / MEGABYTE} MB`)
  return Buffer.concat(chunks)
}

/** Translates the errors of the multipart parser. */
function expectedError(error: unknown): unknown {
  if (error instanceof ExpectedError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return notAnImage()
  // A client that leaves in the middle is no fault of the server.
  if (code?.startsWith('FST_') || code === 'ECONNRESET' || code === undefined) return invalidForm()
  return error
}
