import { notAnImage } from '@nifty/service-kit/images/image-format'
import { createKeptParts } from './kept-parts.ts'

const START_OF_IMAGE = 0xd8
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
/** Marker, marker, and the two bytes of the length, which counts itself. */
const MARKER_BYTES = 2

/** Frame headers, tables and the restart interval: markers of the picture itself. Decoders read no number of lines. */
const isOfPicture = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || marker === 0xda || marker === 0xdb || marker === 0xdd
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * Picture and profile of a JPEG, unchanged and without EXIF, XMP, IPTC, comments, previews, and other pictures that
 * follow its end. Throws 400 `not_an_image`, also for a file without an end.
 */
export function jpegWithoutMetadata(jpeg: Buffer): Buffer {
  const parts = createKeptParts(jpeg.length)
  parts.add(jpeg.subarray(0, MARKER_BYTES))
  let at = MARKER_BYTES
  for (;;) {
    at = markerFrom(jpeg, at)
    const marker = jpeg[at + 1]!
    if (marker === END_OF_IMAGE) {
      parts.add(jpeg.subarray(at, at + MARKER_BYTES))
      return parts.bytes()
    }
    if (marker < 0xc0 || isRestart(marker) || marker === START_OF_IMAGE) throw notAnImage()
    const end = at + MARKER_BYTES + lengthAt(jpeg, at + MARKER_BYTES)
    if (end > jpeg.length) throw notAnImage()
    const segment = keptSegment(marker, jpeg.subarray(at, end))
    if (segment) parts.add(segment)
    at = end
    if (marker === START_OF_SCAN) {
      at = endOfScan(jpeg, end)
      parts.add(jpeg.subarray(end, at))
    }
  }
}

function keptSegment(marker: number, segment: Buffer): Buffer | undefined {
  if (isOfPicture(marker)) return segment
  const text = segment.toString('latin1', 4, 16)
  // The density and the shape of pixels, without the preview.
  if (marker === 0xe0 && text.startsWith('JFIF\0') && segment.length >= 18) return jfifWithoutPreview(segment)
  if (marker === 0xe2 && text.startsWith('ICC_PROFILE\0')) return segment
  // How the colours are to be read.
  if (marker === 0xee && text.startsWith('Adobe')) return segmentOf(marker, segment.subarray(4, 16))
  return undefined
}

function jfifWithoutPreview(segment: Buffer): Buffer {
  const data = Buffer.from(segment.subarray(4, 18))
  // Width and height of the preview.
  data.fill(0, 12)
  return segmentOf(0xe0, data)
}

function segmentOf(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** The place of the next marker; fill bytes may precede it. */
function markerFrom(jpeg: Buffer, from: number): number {
  let at = from
  if (jpeg[at] !== 0xff) throw notAnImage()
  while (jpeg[at + 1] === 0xff) at++
  if (jpeg[at + 1] === undefined || jpeg[at + 1] === 0) throw notAnImage()
  return at
}

function lengthAt(jpeg: Buffer, at: number): number {
  if (at + 2 > jpeg.length || jpeg.readUInt16BE(at) < 2) throw notAnImage()
  return jpeg.readUInt16BE(at)
}

/** The place of the first marker behind the data of a scan. In the data, a zero follows the byte of a marker. */
function endOfScan(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  throw notAnImage()
}
