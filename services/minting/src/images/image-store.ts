import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@nifty/service-kit/logs'
import sharp from 'sharp'
import { FIRST_WIDTH, type Format, MAX_FRAMES, MAX_PIXELS, notAPicture, tooManyPixels, type Width } from './image.ts'
import { createLimit } from './limit.ts'

/** `sha256` is of the master file, in hex; `color` the dominant one, `#rrggbb`; sizes in pixels. */
export type StoredPicture = { file: string; sha256: string; width: number; height: number; color: string }
export type Gallery = ReturnType<typeof createGallery>

const DECODE = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
/** Encoding takes a whole core each. */
const ENCODINGS_AT_ONCE = 2

/** Pictures of works on disk: a master that never changes, and what pages need, made once and kept. */
export function createGallery({ folder, log }: { folder: string; log: Log }) {
  const limit = createLimit(ENCODINGS_AT_ONCE)
  const making = new Map<string, Promise<void>>()
  const masterPath = (file: string) => join(folder, 'master', file)
  const pathOf = (file: string, width: Width, format: Format) =>
    join(folder, String(width), `${file.split('.', 1)[0]}.${format}`)

  /** Decodes an upload and writes its master and first width. What was hidden in the file does not survive. */
  const store = (bytes: Buffer): Promise<StoredPicture> =>
    limit(async () => {
      await assertDecodable(bytes)
      const file = `${randomUUID()}.webp`
      const { data, info } = await sharp(bytes, DECODE)
        .autoOrient()
        .webp({ quality: 90, effort: 2 })
        .toBuffer({ resolveWithObject: true })
        .catch(() => Promise.reject(notAPicture()))
      await write(masterPath(file), data)
      await write(pathOf(file, FIRST_WIDTH, 'webp'), await shrink(data, FIRST_WIDTH, 'webp'))
      const sha256 = createHash('sha256').update(data).digest('hex')
      return { file, sha256, width: info.width, height: info.height, color: await colorOf(data) }
    })

  /** Makes a variant unless it is there; however many ask, it is made once. */
  async function ensure(file: string, width: Width, format: Format): Promise<void> {
    const path = pathOf(file, width, format)
    if (existsSync(path)) return
    const underWay = making.get(path)
    if (underWay) return underWay
    const made = limit(async () => write(path, await shrink(masterPath(file), width, format)))
    making.set(path, made)
    await made.finally(() => making.delete(path))
  }

  /**
   * Path of a variant, or undefined for an unknown file. AVIF takes its time: until it is made, readers get WebP, and
   * `settled` is false.
   */
  async function find(
    file: string,
    { width, format }: { width?: Width; format: Format },
  ): Promise<{ path: string; format: Format; settled: boolean } | undefined> {
    const master = masterPath(file)
    if (!existsSync(master)) return undefined
    if (width === undefined) return { path: master, format: 'webp', settled: true }
    const wanted = pathOf(file, width, format)
    if (format === 'webp' || existsSync(wanted)) {
      await ensure(file, width, format)
      return { path: wanted, format, settled: true }
    }
    ensure(file, width, format).catch((error) => log.warn({ err: error, file, width }, 'picture not encoded'))
    await ensure(file, width, 'webp')
    return { path: pathOf(file, width, 'webp'), format: 'webp', settled: false }
  }

  return {
    store,
    find,
    /** For a picture that was stored and then not needed. */
    remove: async (file: string) => {
      for (const path of [masterPath(file), pathOf(file, FIRST_WIDTH, 'webp')]) await rm(path, { force: true })
    },
    /** Resolves when nothing is being made any more. */
    settle: async () => void (await Promise.allSettled(making.values())),
  }
}

/** Looks at the header alone, so that a small file with a huge picture costs nothing. */
async function assertDecodable(bytes: Buffer) {
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => Promise.reject(notAPicture()))
  if (!['png', 'jpeg', 'gif', 'webp'].includes(header.format)) throw notAPicture()
  const frameHeight = header.pageHeight ?? header.height
  if (header.width * frameHeight > MAX_PIXELS || (header.pages ?? 1) > MAX_FRAMES) throw tooManyPixels()
}

const shrink = (master: Buffer | string, width: Width, format: Format): Promise<Buffer> => {
  const resized = sharp(master).resize({ width, withoutEnlargement: true })
  return (
    format === 'avif' ? resized.avif({ quality: 50, effort: 1 }) : resized.webp({ quality: 80, effort: 3 })
  ).toBuffer()
}

async function colorOf(picture: Buffer): Promise<string> {
  const small = await sharp(picture)
    .resize(64, 64, { fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
  const { r, g, b } = (await sharp(small).stats()).dominant
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Under its name a file is whole, whenever the process is killed. */
async function write(path: string, data: Buffer) {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, data)
  await rename(draft, path)
}
