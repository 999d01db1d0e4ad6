import { SMALL_SIDE_PX } from '@nifty/api/work-image'
import { useEffect, useState } from 'react'

/** What the browser sees of a chosen picture: its size in pixels, and whether it is an animated PNG. */
export type PictureFacts = { width: number; height: number; animatedPng: boolean }

/** Pixels on the longer side, below which a picture looks soft on a large screen. */
const RECOMMENDED_SIDE_PX = 1_000
const MAX_MEGAPIXELS = 25

/** Undefined while the file is read, and for one that this browser cannot show. */
export function usePictureFacts(file: File | undefined): PictureFacts | undefined {
  const [known, setKnown] = useState<{ file: File; facts: PictureFacts }>()
  useEffect(() => {
    if (!file) return
    let isCurrent = true
    const url = URL.createObjectURL(file)
    const image = document.createElement('img')
    image.addEventListener('load', async () => {
      const { naturalWidth: width, naturalHeight: height } = image
      const animatedPng = await isAnimatedPng(file).catch(() => false)
      if (isCurrent) setKnown({ file, facts: { width, height, animatedPng } })
    })
    image.src = url
    return () => {
      isCurrent = false
      URL.revokeObjectURL(url)
    }
  }, [file])
  return known && known.file === file ? known.facts : undefined
}

/** Why the store would refuse a picture of this size. */
export function sizeProblem({ width, height }: PictureFacts): string | undefined {
  const megapixels = (width * height) / 1_000_000
  if (megapixels <= MAX_MEGAPIXELS) return undefined
  return `This picture has ${(Math.ceil(megapixels * 10) / 10).toFixed(1)} megapixels, and at most ${MAX_MEGAPIXELS} are possible.`
}

/** What an artist should know about a picture before it is minted. */
export function pictureNotes({ width, height, animatedPng }: PictureFacts): string[] {
  const side = Math.max(width, height)
  const isSmall = side <= SMALL_SIDE_PX
  const notes: string[] = []
  if (side < RECOMMENDED_SIDE_PX)
    notes.push(
      `This picture has ${width} × ${height} pixels, which is little on a large screen: ${
        isSmall ? 'it is shown enlarged, with hard edges.' : 'we recommend at least 1,000 on the longer side.'
      }`,
    )
  if (animatedPng)
    notes.push(
      'This is an animated PNG. Its file is sold as it is, but the pages of the store show its first picture only: a GIF or an animated WebP moves there.',
    )
  return notes
}

const HEAD_BYTES = 8
/** Chunks of a PNG before its picture: some twenty kinds exist. */
const MAX_CHUNKS = 100

/** Whether the chunk of an animation stands before the picture of a PNG. */
export async function isAnimatedPng(file: Blob): Promise<boolean> {
  const bytes = async (from: number) => new DataView(await file.slice(from, from + HEAD_BYTES).arrayBuffer())
  const signature = await bytes(0)
  if (signature.byteLength < HEAD_BYTES || signature.getUint32(0) !== 0x89504e47) return false
  let at = HEAD_BYTES
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const head = await bytes(at)
    if (head.byteLength < HEAD_BYTES) return false
    const type = head.getUint32(4)
    if (type === ACTL) return true
    if (type === IDAT) return false
    // Length, type and checksum beside the data.
    at += 12 + head.getUint32(0)
  }
  return false
}

const ACTL = 0x6163544c
const IDAT = 0x49444154
