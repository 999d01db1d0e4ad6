import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/**
 * The OpenType font inside a WOFF 1.0 file (W3C "WOFF File Format 1.0", sections 3 to 5): FreeType, as sharp brings it
 * along, reads no WOFF.
 */
export function openTypeOf(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF 1.0 file')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + 16 * count)
  const searched = 2 ** Math.floor(Math.log2(count))
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(searched * 16, 6)
  head.writeUInt16BE(Math.log2(searched), 8)
  head.writeUInt16BE((count - searched) * 16, 10)

  const parts = [head]
  let end = head.length
  for (let index = 0; index < count; index++) {
    const at = HEADER + index * ENTRY
    const [offset, packed, size, checksum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(at + field)) as number[]
    const stored = woff.subarray(offset, offset! + packed!)
    const table = Buffer.alloc(Math.ceil(size! / 4) * 4)
    const data = packed! < size! ? inflateSync(stored) : stored
    data.copy(table)
    const entry = 12 + 16 * index
    woff.copy(head, entry, at, at + 4)
    for (const [place, value] of [checksum, end, size].entries()) head.writeUInt32BE(value!, entry + 4 + 4 * place)
    parts.push(table)
    end += table.length
  }
  return Buffer.concat(parts)
}
