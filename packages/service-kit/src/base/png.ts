import { crc32, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Longest side that is read: 64 MB of pixels. */
const MAX_SIDE = 4_096
/** Samples of a pixel by colour type (PNG, 11.2.2). */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Width and height of a PNG in pixels; undefined for bytes that are none, or not the whole of one: each chunk is
 * compared with its checksum, and the pixels of an image without interlacing are counted.
 */
export function sizeOfPng(bytes: Buffer): { width: number; height: number } | undefined {
  const chunks = chunksOf(bytes)
  const header = chunks?.[0]
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.type !== 'IEND')
    return undefined
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const [depth, colour, , , interlaced] = header.data.subarray(8) as unknown as number[]
  const bits = (samples[colour!] ?? 0) * depth!
  if (!(width > 0 && height > 0 && bits > 0) || Math.max(width, height) > MAX_SIDE) return undefined
  const pixels = inflated(Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))))
  const isWhole = pixels && (interlaced || pixels.length === height * (1 + Math.ceil((width * bits) / 8)))
  return isWhole ? { width, height } : undefined
}

function inflated(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: MAX_SIDE * (MAX_SIDE * 8 + 1) })
  } catch {
    return undefined
  }
}

function chunksOf(bytes: Buffer) {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    if (at + 12 > bytes.length) return undefined
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}
