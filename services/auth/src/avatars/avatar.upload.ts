import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAX_BYTES, notAnImage, tooLarge, tooSlow } from './avatar.ts'

/** One more than is wanted: so that a second one is noticed instead of dropped. */
export const multipartLimits = {
  fileSize: MAX_BYTES,
  files: 2,
  fields: 5,
  parts: 8,
  fieldNameSize: 100,
  fieldSize: 1000,
}

/** The bytes of the one file in field `avatar`. Its name and type, as the caller gives them, are not used. */
export async function readUpload(request: FastifyRequest): Promise<Buffer> {
  let bytes: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      const content = await part.toBuffer()
      if (part.fieldname !== 'avatar' || bytes) throw notAnImage()
      bytes = content
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    throw notAnImage()
  }
  if (!bytes || bytes.length === 0) throw notAnImage()
  return bytes
}

/** Waits so long and no longer; then the answer is 408, and the rest of the upload is cut off. */
export async function within<Result>(ms: number, reply: FastifyReply, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reply.header('connection', 'close')
      reply.raw.once('finish', () => reply.request.raw.destroy())
      reject(tooSlow())
    }, ms)
  })
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
