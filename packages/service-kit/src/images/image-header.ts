import { invalid } from '../base/errors.ts'
import { imageFormatOf, notAnImage } from './image-format.ts'
import { sharp } from './sharp.ts'

const MAX_PIXELS = 25_000_000
const MAX_FRAMES = 200
/** Of all frames of an animation together: their sum is the cost of decoding. */
const MAX_TOTAL_PIXELS = 100_000_000

const imageTooBig = () => invalid('image_too_big', 'The image may have at most 25 megapixels and 200 frames')

/**
 * Reads the header of an image without decoding its pixels; width and height of one frame, in pixels. Throws 400
 * `image_too_big` above 25 megapixels or 200 frames, or above 100 megapixels in all frames together, and 400
 * `not_an_image` where the decoder disagrees with the magic bytes.
 */
export async function readImageHeader(bytes: Buffer): Promise<{ width: number; height: number; frames: number }> {
  const format = imageFormatOf(bytes)
  if (!format) throw notAnImage()
  const header = await sharp(bytes, { animated: true, limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (header?.format !== format) throw notAnImage()
  const size = { width: header.width, height: header.pageHeight ?? header.height, frames: header.pages ?? 1 }
  assertImageSize(size)
  return size
}

export function assertImageSize({ width, height, frames }: { width: number; height: number; frames: number }) {
  const pixels = width * height
  if (pixels > MAX_PIXELS || frames > MAX_FRAMES || pixels * frames > MAX_TOTAL_PIXELS) throw imageTooBig()
}
