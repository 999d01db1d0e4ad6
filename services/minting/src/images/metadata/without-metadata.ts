import type { ImageFormat } from '@nifty/service-kit/images/image-format'
import { gifWithoutMetadata } from './gif.ts'
import { jpegWithoutMetadata } from './jpeg.ts'
import { pngWithoutMetadata } from './png.ts'
import { webpWithoutMetadata } from './webp.ts'

const byFormat: Record<ImageFormat, (image: Buffer) => Buffer> = {
  png: pngWithoutMetadata,
  jpeg: jpegWithoutMetadata,
  gif: gifWithoutMetadata,
  webp: webpWithoutMetadata,
}

/**
 * The same file without what is neither picture nor animation nor colour: EXIF, XMP, IPTC, texts, comments, previews,
 * and bytes after the end. The data of the picture, its profile and its gamma stay byte for byte. Throws 400
 * `not_an_image` for a file that is cut off or malformed.
 */
export const withoutMetadata = (image: Buffer, format: ImageFormat): Buffer => byFormat[format](image)
