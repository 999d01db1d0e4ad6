import { notAnImage } from '@nifty/service-kit/images/image-format'
import { createKeptParts } from './kept-parts.ts'

const HEADER_BYTES = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/** Application extensions with the number of repetitions, and with a colour profile. */
const keptApplications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/**
 * Pictures, their times and colours of a GIF, unchanged and without comments, texts and other applications' data.
 * Throws 400 `not_an_image`, also for a file without its trailer.
 */
export function gifWithoutMetadata(gif: Buffer): Buffer {
  const parts = createKeptParts(gif.length)
  let at = HEADER_BYTES + colourTableBytes(byteAt(gif, 10))
  parts.add(slice(gif, 0, at))
  for (;;) {
    const start = at
    const block = byteAt(gif, at)
    if (block === TRAILER) {
      parts.add(gif.subarray(at, at + 1))
      return parts.bytes()
    }
    if (block === EXTENSION) at = endOfBlocks(gif, at + 2)
    // The descriptor of ten bytes, its colours, and the length of its codes before the blocks of the picture.
    else if (block === IMAGE) at = endOfBlocks(gif, at + 10 + colourTableBytes(byteAt(gif, at + 9)) + 1)
    else throw notAnImage()
    if (block === IMAGE || isKept(gif, start)) parts.add(slice(gif, start, at))
  }
}

function isKept(gif: Buffer, extension: number): boolean {
  const label = byteAt(gif, extension + 1)
  if (label === GRAPHIC_CONTROL) return true
  return (
    label === APPLICATION &&
    byteAt(gif, extension + 2) === 11 &&
    keptApplications.includes(gif.toString('latin1', extension + 3, extension + 14))
  )
}

/** Bytes of the table that the flags of a screen or a picture announce. */
const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** The place behind a chain of blocks: each begins with its length, and one of length 0 ends the chain. */
function endOfBlocks(gif: Buffer, from: number): number {
  let at = from
  for (;;) {
    const length = byteAt(gif, at)
    at += 1 + length
    if (length === 0) return at
  }
}

function byteAt(gif: Buffer, at: number): number {
  const byte = gif[at]
  if (byte === undefined) throw notAnImage()
  return byte
}

function slice(gif: Buffer, from: number, to: number): Buffer {
  if (to > gif.length) throw notAnImage()
  return gif.subarray(from, to)
}
