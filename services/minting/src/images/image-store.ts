import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@nifty/service-kit/logs'
import { createSemaphore } from '@nifty/service-kit/semaphore'
import { sharp } from '@nifty/service-kit/sharp'
import { notAnImage, readImageHeader } from '@nifty/service-kit/uploads'
import { FIRST_WIDTH, type Format, MAX_MASTER_PX, type Width } from './image.ts'

/** `sha256` is of the master file, in hex; `color` the dominant one, `#rrggbb`; sizes in pixels. */
type StoredImage = { file: string; sha256: string; width: number; height: number; color: string }
export type ImageStore = ReturnType<typeof createImageStore>

/** Each encoding uses one core. */
const CONCURRENT_ENCODINGS = 2

/** Images of works on disk: an immutable master file, and resized variants that are encoded once and kept. */
export function createImageStore({ folder, log }: { folder: string; log: Log }) {
  const semaphore = createSemaphore({ concurrency: CONCURRENT_ENCODINGS })
  /** By path of the variant. */
  const encodings = new Map<string, Promise<void>>()
  const masterPath = (file: string) => join(folder, 'master', file)
  const pathOf = (file: string, width: Width, format: Format) =>
    join(folder, String(width), `${file.split('.', 1)[0]}.${format}`)

  /**
   * Decodes an upload, encodes it anew without its metadata, and writes the master and the first width. Colours are converted
   * from the embedded ICC profile to sRGB, which a file without a profile has.
   */
  const store = (bytes: Buffer): Promise<StoredImage> =>
    semaphore(async () => {
      await readImageHeader(bytes)
      const file = `${randomUUID()}.webp`
      const { data, info } = await sharp(bytes, { failOn: 'error' })
        .autoOrient()
        .resize({ width: MAX_MASTER_PX, height: MAX_MASTER_PX, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 90, effort: 2 })
        .toBuffer({ resolveWithObject: true })
        .catch(() => Promise.reject(notAnImage()))
      await write(masterPath(file), data)
      await write(pathOf(file, FIRST_WIDTH, 'webp'), await resize(data, FIRST_WIDTH, 'webp'))
      const sha256 = createHash('sha256').update(data).digest('hex')
      return { file, sha256, width: info.width, height: info.height, color: await colorOf(data) }
    })

  /** Encodes a variant unless its file exists; concurrent calls share one encoding. */
  async function ensure(file: string, width: Width, format: Format): Promise<void> {
    const path = pathOf(file, width, format)
    if (existsSync(path)) return
    const running = encodings.get(path)
    if (running) return running
    const encoding = semaphore(async () => write(path, await resize(masterPath(file), width, format)))
    encodings.set(path, encoding)
    await encoding.finally(() => encodings.delete(path))
  }

  /**
   * Path of a variant, or undefined for an unknown file. AVIF is slow to encode: until its file exists, the result is
   * WebP with `isFinal: false`.
   */
  async function find(
    file: string,
    { width, format }: { width?: Width; format: Format },
  ): Promise<{ path: string; format: Format; isFinal: boolean } | undefined> {
    const master = masterPath(file)
    if (!existsSync(master)) return undefined
    if (width === undefined) return { path: master, format: 'webp', isFinal: true }
    const wanted = pathOf(file, width, format)
    if (format === 'webp' || existsSync(wanted)) {
      await ensure(file, width, format)
      return { path: wanted, format, isFinal: true }
    }
    ensure(file, width, format).catch((error) =>
      log.warn({ err: error, file, width }, 'image store: AVIF encoding failed, WebP is served until the next request'),
    )
    await ensure(file, width, 'webp')
    return { path: pathOf(file, width, 'webp'), format: 'webp', isFinal: false }
  }

  return {
    store,
    find,
    /** Deletes the files of an image that no mint refers to. */
    remove: async (file: string) => {
      for (const path of [masterPath(file), pathOf(file, FIRST_WIDTH, 'webp')]) await rm(path, { force: true })
    },
    /** Resolves when all running encodings have ended. */
    drain: async () => void (await Promise.allSettled(encodings.values())),
  }
}

const resize = (master: Buffer | string, width: Width, format: Format): Promise<Buffer> => {
  const resized = sharp(master).resize({ width, withoutEnlargement: true })
  return (
    format === 'avif' ? resized.avif({ quality: 50, effort: 1 }) : resized.webp({ quality: 80, effort: 3 })
  ).toBuffer()
}

async function colorOf(image: Buffer): Promise<string> {
  const small = await sharp(image).resize(64, 64, { fit: 'inside' }).flatten({ background: '#ffffff' }).png().toBuffer()
  const { r, g, b } = (await sharp(small).stats()).dominant
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Writes and renames, so that a killed process never leaves half a file under the final name. */
async function write(path: string, data: Buffer) {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, data)
  await rename(draft, path)
}
