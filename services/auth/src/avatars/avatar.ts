import { ExpectedError, invalid } from '@nifty/service-kit/errors'

export const MAX_BYTES = 5 * 1024 * 1024
const MAX_PIXELS = 25_000_000
const MAX_FRAMES = 200
/** What all frames of an animation may have together: decoding them is what costs. */
const MAX_PIXELS_IN_ALL = 100_000_000

export const notAnImage = () => invalid('not_an_image', 'Only PNG, JPEG, GIF or WebP images are allowed')
export const tooLarge = () => new ExpectedError('too_large', 'too_large', 'The image may have at most 5 MB')
export const tooSlow = () => new ExpectedError('timeout', 'upload_timeout', 'The upload took too long')
const tooBig = () => invalid('image_too_big', 'The image may have at most 25 megapixels and 200 frames')

export type Format = 'png' | 'jpeg' | 'gif' | 'webp'

/** What the first bytes say; what the caller says does not count. */
export function formatOf(bytes: Buffer): Format | null {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  return null
}

/** `height` is that of one frame. Checked on the header, before anything is decoded. */
export function checkSize({ width, height, frames }: { width: number; height: number; frames: number }) {
  const pixels = width * height
  if (pixels > MAX_PIXELS || frames > MAX_FRAMES || pixels * frames > MAX_PIXELS_IN_ALL) throw tooBig()
}

/** Name of a file of ours, and nothing that could lead elsewhere. */
export const isAvatarName = (name: string) => /^[0-9a-f]{32}\.webp$/.test(name)
