import { invalid } from '@nifty/service-kit/errors'

export const MAX_PICTURE_BYTES = 20 * 1024 * 1024
export const MAX_PIXELS = 25_000_000
export const MAX_FRAMES = 200

/** Widths that pages ask for. The first is made before a mint is accepted, the others when somebody asks. */
export const widths = [320, 640, 960, 1600] as const
export type Width = (typeof widths)[number]
export const FIRST_WIDTH: Width = 640

export type Format = 'avif' | 'webp'

export const notAPicture = () => invalid('not_a_picture', 'Only PNG, JPEG, GIF or WebP images are allowed')
export const tooManyPixels = () => invalid('too_many_pixels', 'The image may have at most 25 megapixels and 200 frames')

const typeOf = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' } as const
type Kind = (typeof typeOf)[keyof typeof typeOf]
const extensions: Record<Kind, string[]> = { png: ['png'], jpeg: ['jpg', 'jpeg'], gif: ['gif'], webp: ['webp'] }

/** What the first bytes say, whatever the sender calls it. */
export function kindOf(bytes: Buffer): Kind | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png'
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
}

/** Refuses a file whose bytes, declared type and name do not agree, or that carries something behind its end. */
export function assertHonest({ bytes, mimetype, filename }: { bytes: Buffer; mimetype: string; filename: string }) {
  const kind = kindOf(bytes)
  if (!kind || typeOf[mimetype as keyof typeof typeOf] !== kind) throw notAPicture()
  if (filename.length > 255 || !/^[^\p{Cc}/\\]*$/u.test(filename)) throw notAPicture()
  const extension = filename.includes('.') ? filename.split('.').at(-1)!.toLowerCase() : undefined
  if (extension !== undefined && !extensions[kind].includes(extension)) throw notAPicture()
  if (kind === 'png' && !bytes.subarray(-8).equals(Buffer.from('49454e44ae426082', 'hex'))) throw notAPicture()
  if (kind === 'gif' && bytes.at(-1) !== 0x3b) throw notAPicture()
}

/** The form that the reader's Accept header allows. */
export const formatFor = (accept: string | undefined): Format => (accept?.includes('image/avif') ? 'avif' : 'webp')
