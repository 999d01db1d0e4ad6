import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Member, TestAuth } from './auth.ts'

/** A still image with a text in its EXIF metadata. */
export const image = (format: 'png' | 'jpeg' | 'webp', { width = 600, height = 400 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: '#d0482a' } })
    .withExif({ IFD0: { Copyright: 'Ada at 51.5 north' } })
    .toFormat(format)
    .toBuffer()

/** An animated GIF of 8 × 8 pixels, each frame in another colour. */
export async function animation(frames: number) {
  const [side, channels] = [8, 3] as const
  const pixels = Buffer.alloc(side * side * frames * channels)
  for (let at = 0; at < pixels.length; at++) pixels[at] = (Math.floor(at / (side * side * channels)) * 37 + at) % 256
  return sharp(pixels, { raw: { width: side, height: side * frames, channels, pageHeight: side } })
    .gif({ loop: 0, delay: Array(frames).fill(50), reuse: true })
    .toBuffer()
}

/** A PNG of few bytes whose header declares a huge size. */
export function hugePng(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

function chunk(name: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export type Part = { field?: string; name?: string; type?: string; bytes: Buffer | string }

/** A multipart body built by hand, so that tests can also send malformed ones. */
export function multipart(parts: Part[]) {
  const boundary = 'boundary-of-a-test'
  const blocks = parts.flatMap(({ field = 'avatar', name = 'me.png', type = 'image/png', bytes }) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n`),
    Buffer.from(`content-type: ${type}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
  const payload = Buffer.concat([...blocks, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload }
}

/** Uploads a form as a member to one of the member's pictures. */
export async function uploadPicture(
  { app }: TestAuth,
  { id, token }: Member,
  { path, parts }: { path: 'upload-avatar' | 'cover'; parts: Part[] },
) {
  const { headers, payload } = multipart(parts)
  const url = `/api/users/${id}/${path}`
  const answer = await app.inject({
    method: 'PUT',
    url,
    headers: { ...headers, authorization: `Bearer ${token}` },
    payload,
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

export const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
export const truncated = async () => (await image('png')).subarray(0, 60)

export const servedHeaders = {
  'content-type': 'image/webp',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
}
