import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { TestMinting } from './minting.ts'

export type FilePart = { bytes: Buffer; name?: string; type?: string; field?: string }

export const pngOf = (width = 900, height = 600, color = '#cc3355') =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()

/** Posts the form of a new work; by default a valid one. */
export async function postMint(
  minting: TestMinting,
  userId: string | null,
  {
    fields = {},
    files,
    headers = {},
  }: { fields?: Record<string, string | undefined>; files?: FilePart[]; headers?: Record<string, string> } = {},
) {
  const form = new FormData()
  const texts = { name: 'Dusk', description: 'Evening light', category: 'Art', ...fields }
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) form.append(name, text)
  for (const { bytes, name = 'dusk.png', type = 'image/png', field = 'image' } of files ?? [{ bytes: await pngOf() }])
    form.append(field, new File([new Uint8Array(bytes)], name, { type }))
  const encoded = new Response(form)
  return minting.app.inject({
    method: 'POST',
    url: '/api/mints',
    headers: {
      ...(userId === null ? {} : minting.bearer(userId)),
      'content-type': encoded.headers.get('content-type')!,
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}

const crcOf = (bytes: Buffer) => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const chunkOf = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crcOf(body))
  return Buffer.concat([head, body, tail])
}

/** A PNG of a few bytes whose header declares a huge image. */
export function bombOf(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.alloc(2000))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF with this many frames of two pixels. */
export async function gifOf(frames: number) {
  const raw = Buffer.alloc(2 * frames * 3)
  for (let at = 0; at < raw.length; at++) raw[at] = (at * 37) % 256
  return sharp(raw, { raw: { width: 2, height: frames, channels: 3, pageHeight: 1 } })
    .gif({ loop: 0 })
    .toBuffer()
}

/** A GIF of a few kilobytes with frames of any size: each frame draws one pixel of its canvas. */
export function sparseGif({ width, height, frames }: { width: number; height: number; frames: number }) {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const screen = Buffer.concat([size, Buffer.from('800000', 'hex'), Buffer.from('cc3355ffffff', 'hex')])
  const frame = Buffer.from('21f904000a000000' + '2c0000000001000100000202440100', 'hex')
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(frames).fill(frame), Buffer.from(';')])
}
