import { crc32 } from 'node:zlib'
import { notAnImage } from '@nifty/service-kit/images/image-format'
import { createKeptParts } from './kept-parts.ts'

const SIGNATURE_BYTES = 8
/** Length and type before the data of a chunk, its CRC behind. */
const HEAD_BYTES = 8
const CRC_BYTES = 4

/** Chunks that are picture or colour, with the longest data that the standard (PNG, third edition) allows. */
const stillChunks: Record<string, number> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: Number.POSITIVE_INFINITY,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  iCCP: Number.POSITIVE_INFINITY,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  sBIT: 4,
  bKGD: 6,
  pHYs: 9,
}
const animationChunks: Record<string, number> = { acTL: 8, fcTL: 26, fdAT: Number.POSITIVE_INFINITY }

type Chunk = { type: string; data: Buffer; whole: Buffer }

/** Chunks that may occur more than once. */
const repeated = ['IDAT', 'fcTL', 'fdAT']
/** In the header. */
const COLOUR_TYPE_AT = 9
const PALETTE = 3

/**
 * Picture, animation and colours of a PNG, unchanged and without all other chunks, those that follow one of their kind
 * and a palette that no pixel refers to. Throws 400 `not_an_image`.
 */
export function pngWithoutMetadata(png: Buffer): Buffer {
  const kept = isAnimated(png) ? { ...stillChunks, ...animationChunks } : stillChunks
  const parts = createKeptParts(png.length)
  parts.add(png.subarray(0, SIGNATURE_BYTES))
  const seen = new Set<string>()
  let colourType = PALETTE
  for (const { type, data, whole } of chunksOf(png)) {
    const longest = kept[type]
    if (longest === undefined) {
      // A decoder has to know every chunk whose type begins with a capital letter.
      if (/^[A-Z]/.test(type)) throw notAnImage()
      continue
    }
    if (data.length > longest) throw notAnImage()
    if (type === 'IHDR') colourType = data[COLOUR_TYPE_AT]!
    if ((seen.has(type) && !repeated.includes(type)) || (type === 'PLTE' && colourType !== PALETTE)) continue
    seen.add(type)
    parts.add(whole)
  }
  return parts.bytes()
}

/**
 * Number of frames of an animated PNG, 1 of another. Throws 400 `not_an_image` where its animation contradicts itself:
 * frames outside of the canvas, another number of frames than announced, or a wrong order.
 */
export function pngFrames(png: Buffer): number {
  if (!isAnimated(png)) return 1
  const demand = (holds: boolean) => {
    if (!holds) throw notAnImage()
  }
  let [width, height, announced, frames, sequence] = [0, 0, 0, 0, 0]
  for (const { type, data } of chunksOf(png)) {
    demand(data.length >= (type === 'IHDR' || type === 'acTL' ? 8 : type === 'fcTL' ? 26 : type === 'fdAT' ? 4 : 0))
    if (type === 'IHDR') [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
    if (type === 'acTL') announced = data.readUInt32BE(0)
    if (type === 'fcTL' || type === 'fdAT') demand(data.readUInt32BE(0) === sequence++)
    if (type === 'fcTL') {
      frames++
      const [frameWidth, frameHeight, x, y] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as Region
      demand(frameWidth > 0 && frameHeight > 0 && x + frameWidth <= width && y + frameHeight <= height)
    }
  }
  demand(frames === announced && frames > 0)
  return frames
}
type Region = [width: number, height: number, x: number, y: number]

/** The control chunk counts before the picture only. */
function isAnimated(png: Buffer): boolean {
  for (const { type } of chunksOf(png)) {
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}

/** To the end of the picture: what follows in the file is left out. */
function* chunksOf(png: Buffer): Generator<Chunk> {
  let at = SIGNATURE_BYTES
  for (;;) {
    if (at + HEAD_BYTES + CRC_BYTES > png.length) throw notAnImage()
    const type = png.toString('latin1', at + 4, at + HEAD_BYTES)
    const dataEnd = at + HEAD_BYTES + png.readUInt32BE(at)
    if (dataEnd + CRC_BYTES > png.length || !/^[A-Za-z]{4}$/.test(type)) throw notAnImage()
    if (at === SIGNATURE_BYTES && (type !== 'IHDR' || dataEnd - at !== HEAD_BYTES + 13)) throw notAnImage()
    if (crc32(png.subarray(at + 4, dataEnd)) !== png.readUInt32BE(dataEnd)) throw notAnImage()
    yield { type, data: png.subarray(at + HEAD_BYTES, dataEnd), whole: png.subarray(at, dataEnd + CRC_BYTES) }
    at = dataEnd + CRC_BYTES
    if (type === 'IEND') return
  }
}
