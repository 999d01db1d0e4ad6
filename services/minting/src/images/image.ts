import { randomUUID } from 'node:crypto'
import { endpointUrl } from '@nifty/api/endpoint'
import { getImage } from '@nifty/api/minting/public'
import { isAnimatedImage, isSmallWork } from '@nifty/api/work-image'
import type { ImageFormat } from '@nifty/service-kit/images/image-format'

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024

/** Widths that pages request, in pixels. The first one is encoded before a mint is accepted, the others on request. */
export const widths = [320, 640, 960, 1600, 2400] as const
export type Width = (typeof widths)[number]
export const FIRST_WIDTH: Width = 640
/** Animations are not encoded wider: each frame costs time, and tens of megabytes are too many for a page. */
export const LARGEST_ANIMATED: Width = 960

/** Formats of the display sizes. */
export type Format = 'avif' | 'webp'
export type Motion = 'still' | 'animated'
/** `small`: at most 400 pixels on each side. */
export type Variant = { width: Width; format: Format; motion: Motion; small: boolean }

/** By the extension of a master file. */
const formats = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp' } as const satisfies Record<string, ImageFormat>
type Extension = keyof typeof formats
const extensionOf: Record<ImageFormat, Extension> = { png: 'png', jpeg: 'jpg', gif: 'gif', webp: 'webp' }

const fileName = /^[0-9a-f-]{36}(-small)?(-animated)?\.(png|jpg|gif|webp)$/

/** The name of a master file says of what kind its display sizes are. Sizes in pixels. */
export function newImageFile(image: { format: ImageFormat; width: number; height: number; motion: Motion }): string {
  const marks = `${isSmallWork(image) ? '-small' : ''}${image.motion === 'animated' ? '-animated' : ''}`
  return `${randomUUID()}${marks}.${extensionOf[image.format]}`
}

/** What the name of a master file says; undefined for another name. */
export function readImageFile(file: string): { format: ImageFormat; small: boolean; motion: Motion } | undefined {
  const [, small, , extension] = fileName.exec(file) ?? []
  if (!extension) return undefined
  const motion = isAnimatedImage(file) ? 'animated' : 'still'
  return { format: formats[extension as Extension], small: small !== undefined, motion }
}

/** What the names of a master and of its display sizes begin with. */
export const imageOf = (file: string): string => file.split('.', 1)[0]!

/** Path of an image below the public URL. */
export const imagePath = (file: string) => endpointUrl(getImage, { params: { file } })

/** The format that the Accept header allows. */
export const formatFor = (accept: string | undefined): Format => (accept?.includes('image/avif') ? 'avif' : 'webp')

/** Of every file that is served: its bytes are what somebody uploaded, and no browser takes them for a page. */
export const fileHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}
