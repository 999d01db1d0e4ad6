import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CachedResponse } from './response-cache.ts'

const SIGNATURE_BYTES = 32
const LENGTH_BYTES = 4

const sign = (secret: string, rest: Buffer) => createHmac('sha256', secret).update(rest).digest()

/** Encodes a response with its key, signed by HMAC-SHA-256, so that nothing else in Redis is accepted. */
export function encode({ plain, gzip, brotli, ...rest }: CachedResponse, secret: string): Buffer {
  const header = Buffer.from(JSON.stringify({ ...rest, lengths: [plain.length, gzip.length] }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(header.length)
  const signed = Buffer.concat([length, header, plain, gzip, brotli])
  return Buffer.concat([sign(secret, signed), signed])
}

/** Returns undefined for anything but the output of `encode` with the same secret. */
export function decode(bytes: Buffer, secret: string): CachedResponse | undefined {
  const [signature, signed] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (signature.length !== SIGNATURE_BYTES || !timingSafeEqual(signature, sign(secret, signed))) return undefined
  const start = LENGTH_BYTES + signed.readUInt32BE(0)
  const { lengths, ...rest } = JSON.parse(signed.subarray(LENGTH_BYTES, start).toString())
  const afterPlain = start + lengths[0]
  const afterGzip = afterPlain + lengths[1]
  return {
    ...rest,
    plain: signed.subarray(start, afterPlain),
    gzip: signed.subarray(afterPlain, afterGzip),
    brotli: signed.subarray(afterGzip),
  }
}
