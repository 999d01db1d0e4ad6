import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import type { ImageFormat } from '@nifty/service-kit/images/image-format'
import { createImageProcess } from '@nifty/service-kit/images/image-process'
import type { MintingImageJobs } from '../image-process.main.ts'
import {
  FIRST_WIDTH,
  type Format,
  imageOf,
  isDraft,
  LARGEST_ANIMATED,
  type Motion,
  newImageFile,
  readImageFile,
  type Variant,
  type Width,
} from './image.ts'

/** `sha256` is of the master file, in hex; `color` the dominant one, `#rrggbb`; sizes in pixels. */
type StoredImage = { file: string; sha256: string; width: number; height: number; color: string }
export type ImageStore = ReturnType<typeof createImageStore>

/** Jobs of images that wait, and mints of one creator. */
const queue = { maxWaiting: 64, maxWaitingPerAccount: 4 }

const program = join(import.meta.dirname, '../image-process.main.ts')

const FILES_AT_ONCE = 500

/** `image` is what the names of a master and of its display sizes begin with; a draft was never completed. */
export type StoredFile = { path: string; image: string; isDraft: boolean }

/** A file to serve. `isFinal` is false while a smaller encoding of the same image is under way. */
type FoundImage = { path: string; format: ImageFormat | Format; isFinal: boolean }

/** Images of works on disk: an immutable master file, and display sizes that are encoded once and kept. */
export function createImageStore({ folder, log }: { folder: string; log: Log }) {
  const encoder = createImageProcess<MintingImageJobs>({ program, log, ...queue })
  /** By path of the variant. */
  const encodings = new Map<string, Promise<string>>()
  const masterPath = (file: string) => join(folder, 'master', file)
  const pathOf = (file: string, { width, format, motion }: Omit<Variant, 'small'>) =>
    join(folder, motion === 'animated' ? `animated-${width}` : String(width), `${imageOf(file)}.${format}`)
  const first = { width: FIRST_WIDTH, format: 'webp', motion: 'still' } as const

  /** Writes the master of an upload and its first width. */
  async function store(creatorId: string, bytes: Buffer): Promise<StoredImage> {
    const made = await encoder.run({ account: creatorId }, 'makeMaster', bytes, { firstWidth: FIRST_WIDTH })
    const { width, height, color, master } = made
    const file = newImageFile(made)
    await write(masterPath(file), master)
    await write(pathOf(file, first), made.first)
    return { file, sha256: createHash('sha256').update(master).digest('hex'), width, height, color }
  }

  /** Encodes a variant unless its file exists; concurrent calls share one encoding. */
  async function ensure(file: string, variant: Variant): Promise<string> {
    const path = pathOf(file, variant)
    if (existsSync(path)) return path
    const running = encodings.get(path)
    if (running) return running
    // A page waits for WebP; AVIF is for later visits.
    const order = variant.format === 'webp' ? 'first' : 'last'
    const encoding = encoder
      .run({ order }, 'encodeVariant', masterPath(file), variant)
      .then((data) => write(path, data))
      .then(() => path)
    encodings.set(path, encoding)
    return encoding.finally(() => encodings.delete(path))
  }

  /** Undefined for an unknown file. */
  function findMaster(file: string) {
    const known = readImageFile(file)
    const path = masterPath(file)
    return known && existsSync(path) ? { ...known, path, isFinal: true } : undefined
  }

  /**
   * The master without a width, else a display size, or undefined for an unknown file. Animations and small works are
   * WebP always. AVIF is slow to encode: until its file exists, the result is WebP with `isFinal: false`.
   */
  async function find(
    file: string,
    { width, format, motion }: { width?: Width; format: Format; motion: Motion },
  ): Promise<FoundImage | undefined> {
    const master = findMaster(file)
    if (!master || width === undefined) return master
    const { small } = master
    const animated = motion === 'animated' && master.motion === 'animated'
    if (animated) {
      const moving: Variant = { width: Math.min(width, LARGEST_ANIMATED) as Width, format: 'webp', motion, small }
      return { path: await ensure(file, moving), format: 'webp', isFinal: true }
    }
    const webp: Variant = { width, format: 'webp', motion: 'still', small }
    if (format === 'webp' || small) return { path: await ensure(file, webp), format: 'webp', isFinal: true }
    const avif: Variant = { ...webp, format: 'avif' }
    if (existsSync(pathOf(file, avif))) return { path: pathOf(file, avif), format: 'avif', isFinal: true }
    ensure(file, avif).catch((error) => {
      if (error instanceof ExpectedError && error.statusCode === 429) return
      log.warn({ err: error, file, width }, 'image store: AVIF encoding failed, WebP is served until the next request')
    })
    return { path: await ensure(file, webp), format: 'webp', isFinal: false }
  }

  /** All files, in pages. */
  async function* list(): AsyncGenerator<StoredFile[], undefined> {
    let page: StoredFile[] = []
    const folders = (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter((each) =>
      each.isDirectory(),
    )
    for (const { name: part } of folders)
      for await (const { name } of await opendir(join(folder, part))) {
        page.push({ path: join(folder, part, name), image: imageOf(name), isDraft: isDraft(name) })
        if (page.length < FILES_AT_ONCE) continue
        yield page
        page = []
      }
    if (page.length > 0) yield page
  }

  return {
    store,
    find,
    findMaster,
    list,
    /** Deletes the files of an image that no mint refers to. */
    remove: async (file: string) => {
      for (const path of [masterPath(file), pathOf(file, first)]) await rm(path, { force: true })
    },
    /** Those of the listed files that were written more than `ageMs` ago. */
    olderThan: async (ageMs: number, files: StoredFile[]) => {
      const old: StoredFile[] = []
      for (const file of files) {
        // Another process may have removed it.
        const found = await stat(file.path).catch(() => undefined)
        if (found && Date.now() - found.mtimeMs > ageMs) old.push(file)
      }
      return old
    },
    removeFiles: async (files: StoredFile[]) => {
      for (const { path } of files) await rm(path, { force: true })
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
