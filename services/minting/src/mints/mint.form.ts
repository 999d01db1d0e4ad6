import { createHash } from 'node:crypto'
import { categories } from '@nifty/api/categories'
import { nameProblem } from '@nifty/api/names'
import { toCents } from '@nifty/api/shapes'
import { invalid } from '@nifty/service-kit/base/errors'
import { isClean } from '@nifty/service-kit/http/input'
import type { CountBytes } from '@nifty/service-kit/images/upload-places'
import { readImageUpload } from '@nifty/service-kit/images/uploads'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGE_BYTES } from '../images/image.ts'

/** `hash` covers the image and all fields: two requests under one Idempotency-Key must have the same. */
export type MintForm = { bytes: Buffer; fields: WorkFields; hash: string }
type WorkFields = {
  name: string
  description: string
  category: string
  priceCents: number | null
  holder: 'custody' | 'wallet'
}

/** Reads and validates the whole multipart form. */
export async function readMintForm(request: FastifyRequest, countBytes: CountBytes): Promise<MintForm> {
  const form = { fileField: 'image', maxBytes: MAX_IMAGE_BYTES, maxFields: 10, countBytes }
  const upload = await readImageUpload(request, form)
  const hash = createHash('sha256').update(upload.bytes)
  for (const [name, text] of [...upload.fields].sort()) hash.update(`\n${name}=${text}`)
  return { bytes: upload.bytes, fields: parseFields(upload.fields), hash: hash.digest('hex') }
}

/** Throws 400 `invalid_work` with one entry for each wrong field. */
function parseFields(texts: Map<string, string>): WorkFields {
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
  demand(name.length >= 1 && name.length <= 80, 'name', 'The name must have 1 to 80 characters')
  const invisible = nameProblem(name)
  demand(!invisible, 'name', invisible ?? '')
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
