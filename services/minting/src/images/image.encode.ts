import { notAnImage } from '@nifty/service-kit/images/image-format'
import { readImageHeader } from '@nifty/service-kit/images/image-header'
import { sharp } from '@nifty/service-kit/images/sharp'
import type { Format, Width } from './image.ts'

/** `color` is the dominant one, `#rrggbb`; sizes in pixels. */
type EncodedMaster = { master: Buffer; first: Buffer; width: number; height: number; color: string }

/**
 * Decodes an upload and encodes it anew without its metadata, at most `maxSide` pixels wide and high, and in its first
 * width. Colours are converted from the embedded ICC profile to sRGB, which a file without a profile has. Throws 400
 * `not_an_image` or `image_too_big`.
 */
export async function encodeMaster(
  upload: Buffer,
  { maxSide, firstWidth }: { maxSide: number; firstWidth: Width },
): Promise<EncodedMaster> {
  await readImageHeader(upload)
  const { data, info } = await sharp(upload, { failOn: 'error' })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90, effort: 2 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => Promise.reject(notAnImage()))
  const first = await encodeVariant(data, firstWidth, 'webp')
  return { master: data, first, width: info.width, height: info.height, color: await colorOf(data) }
}

/** `master`: the file or its path. */
export const encodeVariant = (master: Buffer | string, width: Width, format: Format): Promise<Buffer> => {
  const resized = sharp(master).resize({ width, withoutEnlargement: true })
  return (
    format === 'avif' ? resized.avif({ quality: 50, effort: 1 }) : resized.webp({ quality: 80, effort: 3 })
  ).toBuffer()
}

async function colorOf(image: Buffer): Promise<string> {
  const small = await sharp(image).resize(64, 64, { fit: 'inside' }).flatten({ background: '#ffffff' }).png().toBuffer()
  const { r, g, b } = (await sharp(small).stats()).dominant
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
