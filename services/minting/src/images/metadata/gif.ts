import { notAnImage } from '@nifty/service-kit/images/image-format'
import { createKeptParts } from './kept-parts.ts'

const HEADER_BYTES = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/** Extensions: time and transparent colour of a picture, the number of repetitions, and a colour profile. */
const isGraphicControl = (extension: Buffer) => extension.length === 8 && extension[2] === 4
const isRepetition = (extension: Buffer) =>
  extension.length === 19 &&
  extension[2] === 11 &&
  ['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(extension.toString('latin1', 3, 14)) &&
  extension.readUInt16BE(14) === 0x0301
const isProfile = (extension: Buffer) =>
  extension[2] === 11 && extension.toString('latin1', 3, 14) === 'ICCRGBG1012' && isIcc(dataOf(extension, 14))

/** By its head: the length of all, and the signature (ICC.1, 7.2). */
const isIcc = (data: Buffer) =>
  data.length >= 128 && data.readUInt32BE(0) === data.length && data.toString('latin1', 36, 40) === 'acsp'

/**
 * Pictures, their times and colours of a GIF, unchanged and without comments, texts and the data of applications: of
 * these only a number of repetitions and a profile stay. Throws 400 `not_an_image`, also for a file without its
 * trailer.
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
    const whole = slice(gif, start, at)
    if (block === IMAGE || isKept(whole)) parts.add(whole)
  }
}

function isKept(extension: Buffer): boolean {
  const label = extension[1]
  if (label === GRAPHIC_CONTROL) return isGraphicControl(extension)
  return label === APPLICATION && (isRepetition(extension) || isProfile(extension))
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

/** What a chain of blocks has in it. */
function dataOf(extension: Buffer, from: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = from; extension[at]; at += 1 + extension[at]!)
    blocks.push(extension.subarray(at + 1, at + 1 + extension[at]!))
  return Buffer.concat(blocks)
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
