import { crc32, deflateSync } from 'node:zlib'

const SIDE = 64

/** A PNG image of one colour. */
export function png([red, green, blue]: [number, number, number]): Uint8Array<ArrayBuffer> {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: SIDE }, () => Buffer.from([red, green, blue]))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // 8 bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: SIDE }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]),
  )
}

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
