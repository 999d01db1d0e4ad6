import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { createImageProcess } from '@nifty/service-kit/images/image-process'
import type { MintingImageJobs } from '../image-process.main.ts'
import { FIRST_WIDTH, type Format, MAX_MASTER_PX, type Width } from './image.ts'

/** `sha256` is of the master file, in hex; `color` the dominant one, `#rrggbb`; sizes in pixels. */
type StoredImage = { file: string; sha256: string; width: number; height: number; color: string }
export type ImageStore = ReturnType<typeof createImageStore>

/** Jobs of images that wait, and mints of one creator. */
const queue = { maxWaiting: 64, maxWaitingPerAccount: 4 }

const program = join(import.meta.dirname, '../image-process.main.ts')

/** Images of works on disk: an immutable master file, and resized variants that are encoded once and kept. */
export function createImageStore({ folder, log }: { folder: string; log: Log }) {
  const encoder = createImageProcess<MintingImageJobs>({ program, log, ...queue })
  /** By path of the variant. */
  const encodings = new Map<string, Promise<void>>()
  const masterPath = (file: string) => join(folder, 'master', file)
  const pathOf = (file: string, width: Width, format: Format) =>
    join(folder, String(width), `${file.split('.', 1)[0]}.${format}`)

  /** Encodes an upload anew, and writes the master and the first width. */
  async function store(creatorId: string, bytes: Buffer): Promise<StoredImage> {
    const sizes = { maxSide: MAX_MASTER_PX, firstWidth: FIRST_WIDTH }
    const { master, first, ...properties } = await encoder.run({ account: creatorId }, 'encodeMaster', bytes, sizes)
    const file = `${randomUUID()}.webp`
    await write(masterPath(file), master)
    await write(pathOf(file, FIRST_WIDTH, 'webp'), first)
    return { file, sha256: createHash('sha256').update(master).digest('hex'), ...properties }
  }

  /** Encodes a variant unless its file exists; concurrent calls share one encoding. */
  async function ensure(file: string, width: Width, format: Format): Promise<void> {
    const path = pathOf(file, width, format)
    if (existsSync(path)) return
    const running = encodings.get(path)
    if (running) return running
    // A page waits for WebP; AVIF is for later visits.
    const order = format === 'webp' ? 'first' : 'last'
    const encoding = encoder
      .run({ order }, 'encodeVariant', masterPath(file), width, format)
      .then((data) => write(path, data))
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
    ensure(file, width, format).catch((error) => {
      if (error instanceof ExpectedError && error.statusCode === 429) return
      log.warn({ err: error, file, width }, 'image store: AVIF encoding failed, WebP is served until the next request')
    })
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
    /** Completes all running encodings. */
    stop: async () => {
      await Promise.allSettled(encodings.values())
      encoder.stop()
    },
  }
}

/** Writes and renames, so that a killed process never leaves half a file under the final name. */
async function write(path: string, data: Buffer) {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, data)
  await rename(draft, path)
}
