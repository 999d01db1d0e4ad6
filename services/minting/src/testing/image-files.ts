import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const pngOf = (width = 900, height = 600, color = '#cc3355') =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()

/** A chunk of a PNG. */
export const chunkOf = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
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

const raw = (width: number, height: number, channelAt: (x: number, y: number, channel: number) => number) => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const pixel = Math.floor(at / 3)
    pixels[at] = channelAt(pixel % width, Math.floor(pixel / width), at % 3)
  }
  return pixels
}

/** 24 × 24 pixels of pure blue, red and green side by side: what chroma subsampling damages first. */
export const pixelArt = () => raw(24, 24, (x, y, channel) => ((x + 2 * y) % 3 === channel ? 255 : 0))
export const pixelArtPng = () =>
  sharp(pixelArt(), { raw: { width: 24, height: 24, channels: 3 } })
    .png()
    .toBuffer()

/** Ten frames of a square that moves. */
const moving = (width: number, height: number) =>
  raw(width, 10 * height, (x, y, channel) => {
    const frame = Math.floor(y / height)
    return Math.floor(x / 3) === frame ? 255 : channel * 40
  })
const movingSharp = (width: number, height: number) =>
  sharp(moving(width, height), { raw: { width, height: 10 * height, channels: 3, pageHeight: height } })

export const animatedGif = (width = 48, height = 32) =>
  movingSharp(width, height)
    .gif({ loop: 3, delay: Array(10).fill(70) })
    .toBuffer()
export const animatedWebp = (width = 48, height = 32) =>
  movingSharp(width, height)
    .webp({ lossless: true, loop: 3, delay: Array(10).fill(70) })
    .toBuffer()

const uint32 = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index)
  return bytes
}

/** The signature of a PNG and its chunks. */
export const pngOfChunks = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunkOf('IEND', Buffer.alloc(0))])

/** An animated PNG of ten frames; `changes` replaces the number that it announces. */
export function animatedPng(width = 48, height = 32, changes: { announced?: number; frameWidth?: number } = {}) {
  const [frames, pixels] = [10, moving(width, height)]
  const chunks = [
    chunkOf('IHDR', Buffer.concat([uint32(width, height), Buffer.from([8, 2, 0, 0, 0])])),
    chunkOf('acTL', uint32(changes.announced ?? frames, 3)),
  ]
  let sequence = 0
  for (let frame = 0; frame < frames; frame++) {
    const rows = Array.from({ length: height }, (_, row) => {
      const start = 3 * width * (frame * height + row)
      return [Buffer.from([0]), pixels.subarray(start, start + 3 * width)]
    })
    const region = uint32(sequence++, changes.frameWidth ?? width, height, 0, 0)
    chunks.push(chunkOf('fcTL', Buffer.concat([region, Buffer.from([0, 7, 0, 100, 0, 0])])))
    const data = deflateSync(Buffer.concat(rows.flat()))
    chunks.push(frame === 0 ? chunkOf('IDAT', data) : chunkOf('fdAT', Buffer.concat([uint32(sequence++), data])))
  }
  return pngOfChunks(...chunks)
}

/** An animated PNG of a few kilobytes whose frames draw one pixel of their canvas. */
export function sparseApng({ side, frames }: { side: number; frames: number }) {
  const picture = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  const frameOf = (sequence: number) =>
    chunkOf('fcTL', Buffer.concat([uint32(sequence, 1, 1, 0, 0), Buffer.from([0, 7, 0, 100, 0, 0])]))
  return pngOfChunks(
    chunkOf('IHDR', Buffer.concat([uint32(side, side), Buffer.from([1, 0, 0, 0, 0])])),
    chunkOf('acTL', uint32(frames, 0)),
    frameOf(0),
    chunkOf('IDAT', picture),
    ...Array.from({ length: frames - 1 }, (_, index) =>
      Buffer.concat([
        frameOf(2 * index + 1),
        chunkOf('fdAT', Buffer.concat([uint32(2 * index + 2), deflateSync(Buffer.alloc(2))])),
      ]),
    ),
  )
}

/** A PNG with more chunks behind its header. */
export const withChunks = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** A JPEG with a segment behind its first marker. */
export function withSegment(jpeg: Buffer, marker: number, data: Buffer | string) {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(Buffer.byteLength(data) + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(data), jpeg.subarray(2)])
}

/** A WebP with a chunk behind its picture. */
export function withWebpChunk(webp: Buffer, type: string, data: Buffer | string) {
  const content = Buffer.from(data)
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  const file = Buffer.concat([webp, head, content, Buffer.alloc(content.length % 2)])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}

/** A GIF with an extension before its trailer. */
export function withExtension(gif: Buffer, label: number, ...blocks: string[]) {
  const chain = blocks.map((block) => Buffer.concat([Buffer.from([block.length]), Buffer.from(block, 'latin1')]))
  return Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, label]), ...chain, Buffer.from([0, 0x3b])])
}

/** A JPEG of a camera: Display P3, a place, a camera and, unless it is 1, an orientation. */
export async function cameraJpeg(width: number, height: number, orientation = 1) {
  const small = raw(64, 48, (x, y, channel) => (channel === 0 ? 4 * x : channel === 1 ? 5 * y : 90))
  const jpeg = await sharp(small, { raw: { width: 64, height: 48, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .withMetadata({ orientation })
    .withIccProfile('p3')
    .withExifMerge({
      IFD0: { Make: 'SECRET camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 26/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 39/1' },
    })
    .jpeg({ quality: 92 })
    .toBuffer()
  return withSegment(jpeg, 0xfe, 'SECRET comment')
}
