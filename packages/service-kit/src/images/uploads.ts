import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ExpectedError, invalid } from '../base/errors.ts'
import { type ImageFormat, imageFormatOf, notAnImage } from './image-format.ts'

/** Register it in the scope of the upload route alone: all other routes then refuse multipart bodies with 415. */
export const multipartForms = multipart

const MEGABYTE = 1024 * 1024
/** `fields` are the text fields of the form; `mimetype` and `filename` are the sender's claims. */
export type ImageUpload = {
  bytes: Buffer
  format: ImageFormat
  mimetype: string
  filename: string
  fields: Map<string, string>
}

const invalidForm = () => invalid('invalid_form', 'Invalid form')

/**
 * Reads a multipart form with one image in the field `fileField` and at most `maxFields` text fields. The time that an
 * upload may take is the server's limit of a request; then the connection closes, and reading ends. Errors: 400
 * `not_an_image` or `invalid_form`, 413 `too_large`, 415 `unsupported_media_type`.
 */
export async function readImageUpload(
  request: FastifyRequest,
  { fileField, maxBytes, maxFields = 5 }: { fileField: string; maxBytes: number; maxFields?: number },
): Promise<ImageUpload> {
  if (!request.isMultipart())
    throw new ExpectedError('unsupported', 'unsupported_media_type', 'Please send multipart/form-data')

  try {
    return await readParts(request, { fileField, maxBytes, maxFields })
  } catch (error) {
    throw expectedError(error, maxBytes)
  }
}

async function readParts(
  request: FastifyRequest,
  { fileField, maxBytes, maxFields }: { fileField: string; maxBytes: number; maxFields: number },
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
  let file: { bytes: Buffer; mimetype: string; filename: string } | undefined
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'file') file = await readFile(part, fileField)
    // The parser replaces bytes that are not UTF-8.
    else if (part.valueTruncated || typeof part.value !== 'string' || part.value.includes('\ufffd')) throw invalidForm()
    else if (fields.has(part.fieldname)) throw invalidForm()
    else fields.set(part.fieldname, part.value)
  }
  const format = file && imageFormatOf(file.bytes)
  if (!format) throw notAnImage()
  return { ...file!, format, fields }
}

async function readFile(part: MultipartFile, fileField: string) {
  if (part.fieldname !== fileField) throw notAnImage()
  return { bytes: await part.toBuffer(), mimetype: part.mimetype, filename: part.filename ?? '' }
}

/** Translates the errors of the multipart parser. */
function expectedError(error: unknown, maxBytes: number): unknown {
  if (error instanceof ExpectedError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return new ExpectedError('too_large', 'too_large', `The image may have at most ${maxBytes / MEGABYTE} MB`)
  if (code === 'FST_FILES_LIMIT') return notAnImage()
  // A client that leaves in the middle is no fault of the server.
  if (code?.startsWith('FST_') || code === 'ECONNRESET' || code === undefined) return invalidForm()
  return error
}
