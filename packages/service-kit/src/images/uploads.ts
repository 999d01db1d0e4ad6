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

/** `countBytes`: of the upload's place. */
type Form = { fileField: string; maxBytes: number; maxFields?: number; countBytes: CountBytes }

const invalidForm = () => invalid('invalid_form', 'Invalid form')

/**
 * Reads a multipart form with one image in the field `fileField` and at most `maxFields` text fields. The time that an
 * upload may take is the server's limit of a request; then the connection closes, and reading ends. Errors: 400
 * `not_an_image` or `invalid_form`, 413 `too_large`, 415 `unsupported_media_type`.
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
  { fileField, maxBytes, maxFields = 5, countBytes }: Form,
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
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'file') bytes = await readFile(part, { fileField, maxBytes, countBytes })
    // The parser replaces bytes that are not UTF-8.
    else if (part.valueTruncated || typeof part.value !== 'string' || part.value.includes('\ufffd')) throw invalidForm()
    else if (fields.has(part.fieldname)) throw invalidForm()
    else fields.set(part.fieldname, withLineFeeds(part.value))
  }
  const format = bytes && imageFormatOf(bytes)
  if (!bytes || !format) throw notAnImage()
  return { bytes, format, fields }
}

async function readFile({ fieldname, file }: MultipartFile, form: Omit<Form, 'maxFields'>): Promise<Buffer> {
  if (fieldname !== form.fileField) throw notAnImage()
  const chunks: Buffer[] = []
  let refusal: unknown
  // To its end, also when it is refused: the parser does not take a stream that ends in the middle.
  for await (const chunk of file as AsyncIterable<Buffer>) {
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
