import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CachedResponse } from './response-cache.ts'

const SIGNATURE_BYTES = 32
const LENGTH_BYTES = 4

const sign = (secret: string, rest: Buffer) => createHmac('sha256', secret).update(rest).digest()

/** Encodes a response with its key, signed by HMAC-SHA-256, so that nothing else in Redis is accepted. */
export function encode({ plain, brotli, ...rest }: CachedResponse, secret: string): Buffer {
  const header = Buffer.from(JSON.stringify({ ...rest, plainLength: plain.length }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(header.length)
  const signed = Buffer.concat([length, header, plain, brotli])
  return Buffer.concat([sign(secret, signed), signed])
}

/** Returns undefined for anything but the output of `encode` with the same secret. */
export function decode(bytes: Buffer, secret: string): CachedResponse | undefined {
  const [signature, signed] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (signature.length !== SIGNATURE_BYTES || !timingSafeEqual(signature, sign(secret, signed))) return undefined
  const start = LENGTH_BYTES + signed.readUInt32BE(0)
  const { plainLength, ...rest } = JSON.parse(signed.subarray(LENGTH_BYTES, start).toString())
  const afterPlain = start + plainLength
  return {
    ...rest,
    plain: signed.subarray(start, afterPlain),
    brotli: signed.subarray(afterPlain),
  }
}
