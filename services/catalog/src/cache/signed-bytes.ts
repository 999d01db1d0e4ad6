import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReadyAnswer } from './cache.ts'

const SEAL_BYTES = 32
const LENGTH_BYTES = 4

const sealOf = (secret: string, rest: Buffer) => createHmac('sha256', secret).update(rest).digest()

/** An answer as one value that carries its own key, sealed, so that nobody else can write one. */
export function toBytes({ plain, gzip, brotli, ...facts }: ReadyAnswer, secret: string): Buffer {
  const header = Buffer.from(JSON.stringify({ ...facts, lengths: [plain.length, gzip.length] }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(header.length)
  const rest = Buffer.concat([length, header, plain, gzip, brotli])
  return Buffer.concat([sealOf(secret, rest), rest])
}

/** The answer, or undefined for anything that was not written by `toBytes` with the same secret. */
export function fromBytes(bytes: Buffer, secret: string): ReadyAnswer | undefined {
  const [seal, rest] = [bytes.subarray(0, SEAL_BYTES), bytes.subarray(SEAL_BYTES)]
  if (seal.length !== SEAL_BYTES || !timingSafeEqual(seal, sealOf(secret, rest))) return undefined
  const start = LENGTH_BYTES + rest.readUInt32BE(0)
  const { lengths, ...facts } = JSON.parse(rest.subarray(LENGTH_BYTES, start).toString())
  const afterPlain = start + lengths[0]
  const afterGzip = afterPlain + lengths[1]
  return {
    ...facts,
    plain: rest.subarray(start, afterPlain),
    gzip: rest.subarray(afterPlain, afterGzip),
    brotli: rest.subarray(afterGzip),
  }
}
