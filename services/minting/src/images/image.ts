import { endpointUrl } from '@nifty/api/endpoint'
import { getImage } from '@nifty/api/minting/public'
import { type ImageFormat, notAnImage } from '@nifty/service-kit/images/image-format'

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024

/** Longest side of a master file, in pixels; a larger upload is reduced. */
export const MAX_MASTER_PX = 4_096

/** Widths that pages request, in pixels. The first one is encoded before a mint is accepted, the others on request. */
export const widths = [320, 640, 960, 1600, 2400] as const
export type Width = (typeof widths)[number]
export const FIRST_WIDTH: Width = 640

export type Format = 'avif' | 'webp'

/** Path of an image below the public URL. */
export const imagePath = (file: string) => endpointUrl(getImage, { params: { file } })

/** Refuses a file that is cut off, or has content after its end. Its name and declared type mean nothing. */
export function assertComplete({ bytes, format }: { bytes: Buffer; format: ImageFormat }) {
  if (format === 'png' && !bytes.subarray(-8).equals(Buffer.from('49454e44ae426082', 'hex'))) throw notAnImage()
  if (format === 'gif' && bytes.at(-1) !== 0x3b) throw notAnImage()
}

/** The format that the Accept header allows. */
export const formatFor = (accept: string | undefined): Format => (accept?.includes('image/avif') ? 'avif' : 'webp')
