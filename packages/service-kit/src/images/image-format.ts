import { invalid } from '../base/errors.ts'

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp'

export const notAnImage = () => invalid('not_an_image', 'Only PNG, JPEG, GIF or WebP images are allowed')

/** Recognises the format by magic bytes; undefined for all other content. */
export function imageFormatOf(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
}
