import { createHash } from 'node:crypto'
import type { MultipartFile } from '@fastify/multipart'
import { categories } from '@nifty/api/catalog'
import { toCents } from '@nifty/api/shapes'
import { ExpectedError, invalid } from '@nifty/service-kit/errors'
import { isClean } from '@nifty/service-kit/http/input'
import type { FastifyRequest } from 'fastify'
import { assertHonest, MAX_PICTURE_BYTES, notAPicture } from '../images/image.ts'

export type Upload = { bytes: Buffer; fields: WorkFields; hash: string }
export type WorkFields = {
  name: string
  description: string
  category: string
  priceCents: number | null
  holder: 'custody' | 'wallet'
}

const limits = { files: 1, fileSize: MAX_PICTURE_BYTES, fields: 10, fieldSize: 20_000, parts: 12, fieldNameSize: 100 }

/**
 * Reads the whole form, once and within its time (milliseconds), and refuses whatever is not one picture of a work.
 */
export async function readUpload(request: FastifyRequest, withinMs: number): Promise<Upload> {
  if (!request.isMultipart()) throw new ExpectedError('unsupported', 'unsupported_media_type', 'Please send a form')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow()), withinMs)
  })
  try {
    return await Promise.race([readParts(request), late])
  } catch (error) {
    throw expected(error)
  } finally {
    clearTimeout(timer)
  }
}

async function readParts(request: FastifyRequest): Promise<Upload> {
  const texts = new Map<string, string>()
  let picture: { bytes: Buffer; mimetype: string; filename: string } | undefined
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'file') picture = await readPicture(part)
    else if (part.valueTruncated || typeof part.value !== 'string' || texts.has(part.fieldname)) throw badForm()
    else texts.set(part.fieldname, part.value)
  }
  if (!picture) throw notAPicture()
  assertHonest(picture)
  const hash = createHash('sha256').update(picture.bytes)
  for (const [name, text] of [...texts].sort()) hash.update(`\n${name}=${text}`)
  return { bytes: picture.bytes, fields: fieldsOf(texts), hash: hash.digest('hex') }
}

async function readPicture(part: MultipartFile) {
  if (part.fieldname !== 'image') throw notAPicture()
  return { bytes: await part.toBuffer(), mimetype: part.mimetype, filename: part.filename ?? '' }
}

/** What people typed, or one entry for each field that is wrong. */
export function fieldsOf(texts: Map<string, string>): WorkFields {
  const text = (name: string) => texts.get(name)?.trim() ?? ''
  const [name, description, category, price, holder] = [
    text('name'),
    text('description'),
    text('category'),
    text('price'),
    text('holder') || 'custody',
  ]
  const priceCents = price === '' ? null : /^\d{1,6}(\.\d{1,2})?$/.test(price) ? toCents(Number(price)) : undefined
  const errors: { msg: string; path: string }[] = []
  const demand = (isRight: boolean, path: string, msg: string) => isRight || errors.push({ msg, path })
  demand(name.length >= 1 && name.length <= 80 && isClean(name, false), 'name', 'The name must have 1 to 80 characters')
  demand(
    description.length <= 2000 && isClean(description, true),
    'description',
    'The description may have at most 2000 characters',
  )
  demand(
    (categories as readonly string[]).includes(category),
    'category',
    `The category must be one of ${categories.join(', ')}`,
  )
  demand(
    priceCents !== undefined && (price === '' || priceCents !== null),
    'price',
    'Price must be between 0.50 and 999999.99 with at most 2 decimals',
  )
  demand(holder === 'custody' || holder === 'wallet', 'holder', 'The holder must be custody or wallet')
  if (errors.length > 0) throw invalid('invalid_work', errors[0]!.msg, { errors })
  return { name, description, category, priceCents: priceCents ?? null, holder: holder as WorkFields['holder'] }
}

/** The rest of the body is not waited for. */
const tooSlow = () =>
  new ExpectedError('timeout', 'upload_timeout', 'The upload took too long', { headers: { connection: 'close' } })
const badForm = () => invalid('invalid_form', 'Invalid form')

/** The parser's own complaints, in our words. */
function expected(error: unknown): unknown {
  if (error instanceof ExpectedError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return new ExpectedError('too_large', 'too_large', 'The image may have at most 20 MB')
  if (code === 'FST_FILES_LIMIT') return notAPicture()
  if (code?.startsWith('FST_') || code === undefined) return badForm()
  return error
}
