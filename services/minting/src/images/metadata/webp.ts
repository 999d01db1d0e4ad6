import { notAnImage } from '@nifty/service-kit/images/image-format'
import { createKeptParts } from './kept-parts.ts'

const FILE_HEAD_BYTES = 12
const CHUNK_HEAD_BYTES = 8
/** Before the chunks of a frame: place, size, duration and flags. */
const FRAME_HEAD_BYTES = 16

const pictures = ['VP8 ', 'VP8L']
const keptInFrame = ['ALPH', ...pictures]
/** Flags of `VP8X` that announce EXIF and XMP, a profile, an animation. */
const METADATA_FLAGS = 0x0c
const PROFILE_FLAG = 0x20
const ANIMATION_FLAG = 0x02

/**
 * Picture, animation and profile of a WebP, unchanged and without all other chunks, also those that the header does not
 * announce, or that follow one of their kind. Throws 400 `not_an_image`.
 */
export function webpWithoutMetadata(webp: Buffer): Buffer {
  const end = CHUNK_HEAD_BYTES + webp.readUInt32LE(4)
  if (end < FILE_HEAD_BYTES || end > webp.length) throw notAnImage()
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  // The pad byte of the last chunk may be missing.
  const parts = createKeptParts(end + 1)
  parts.add(head)
  let isKept = createFilter(pictures)
  let isFirst = true
  for (const { type, data } of chunksOf(webp.subarray(FILE_HEAD_BYTES, end))) {
    if (isFirst && type === 'VP8X') isKept = createFilter(['VP8X', ...announcedBy(data[0] ?? 0)])
    isFirst = false
    if (!isKept(type)) continue
    if (type === 'VP8X') parts.add(...chunkOf(type, withoutFlags(data)))
    else if (type === 'ANMF') parts.add(...chunkOf(type, frameWithoutMetadata(data)))
    else parts.add(...chunkOf(type, data))
  }
  const bytes = parts.bytes()
  bytes.writeUInt32LE(bytes.length - CHUNK_HEAD_BYTES, 4)
  return bytes
}

const announcedBy = (flags: number) => [
  ...(flags & PROFILE_FLAG ? ['ICCP'] : []),
  ...(flags & ANIMATION_FLAG ? ['ANIM', 'ANMF'] : keptInFrame),
]

/** Whether the next chunk is kept: each once but frames, one picture, and what is transparent before it. */
function createFilter(kept: string[]) {
  const seen = new Set<string>()
  return (type: string) => {
    const kind = type === 'VP8L' ? 'VP8 ' : type
    if (!kept.includes(type) || (seen.has(kind) && type !== 'ANMF')) return false
    if (type === 'ALPH' && seen.has('VP8 ')) return false
    if (type === 'VP8L' && seen.has('ALPH')) throw notAnImage()
    seen.add(kind)
    return true
  }
}

function withoutFlags(data: Buffer): Buffer {
  if (data.length !== 10) throw notAnImage()
  const changed = Buffer.from(data)
  changed[0]! &= ~METADATA_FLAGS
  return changed
}

function frameWithoutMetadata(frame: Buffer): Buffer {
  const parts = createKeptParts(frame.length + 1)
  parts.add(frame.subarray(0, FRAME_HEAD_BYTES))
  const isKept = createFilter(keptInFrame)
  for (const { type, data } of chunksOf(frame.subarray(FRAME_HEAD_BYTES)))
    if (isKept(type)) parts.add(...chunkOf(type, data))
  return parts.bytes()
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  let at = 0
  while (at < bytes.length) {
    if (at + CHUNK_HEAD_BYTES > bytes.length) throw notAnImage()
    const dataEnd = at + CHUNK_HEAD_BYTES + bytes.readUInt32LE(at + 4)
    if (dataEnd > bytes.length) throw notAnImage()
    yield { type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + CHUNK_HEAD_BYTES, dataEnd) }
    // Chunks begin at even places.
    at = dataEnd + (dataEnd % 2)
  }
}

function chunkOf(type: string, data: Buffer): [head: Buffer, data: Buffer, pad: Buffer] {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return [head, data, Buffer.alloc(data.length % 2)]
}
