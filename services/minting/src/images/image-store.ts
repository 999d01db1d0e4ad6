import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import type { ImageFormat } from '@nifty/service-kit/images/image-format'
import { createImageProcess } from '@nifty/service-kit/images/image-process'
import type { ListedObject, Objects, OpenedObject } from '@nifty/service-kit/objects/objects'
import type { MintingImageJobs } from '../image-process.main.ts'
import {
  FIRST_WIDTH,
  type Format,
  imageOf,
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

/** `image` is what the names of a master and of its display sizes begin with. */
export type StoredFile = ListedObject & { image: string }

type OpenedImage = OpenedObject & { format: ImageFormat | Format }
/** An image to serve. `isFinal` is false while a smaller encoding of it is under way. */
type FoundImage = OpenedImage & { isFinal: boolean }

/** Images of works: an immutable master file, and display sizes that are encoded once and kept. */
export function createImageStore({ objects, log }: { objects: Objects; log: Log }) {
  const encoder = createImageProcess<MintingImageJobs>({ program, log, ...queue })
  /** By name of the variant. */
  const encodings = new Map<string, Promise<void>>()
  const masterName = (file: string) => `master/${file}`
  const nameOf = (file: string, { width, format, motion }: Omit<Variant, 'small'>) =>
    `${motion === 'animated' ? `animated-${width}` : width}/${imageOf(file)}.${format}`
  const first = { width: FIRST_WIDTH, format: 'webp', motion: 'still' } as const

  /** Writes the master of an upload and its first width. */
  async function store(creatorId: string, bytes: Buffer): Promise<StoredImage> {
    const made = await encoder.run({ account: creatorId }, 'makeMaster', bytes, { firstWidth: FIRST_WIDTH })
    const { width, height, color, master } = made
    const file = newImageFile(made)
    await objects.put(masterName(file), master)
    await objects.put(nameOf(file, first), made.first)
    return { file, sha256: createHash('sha256').update(master).digest('hex'), width, height, color }
  }

  /** Encodes a variant of a master that exists; concurrent calls share one encoding. */
  function encode(file: string, variant: Variant): Promise<void> {
    const name = nameOf(file, variant)
    const running = encodings.get(name)
    if (running) return running
    // A page waits for WebP; AVIF is for later visits.
    const order = variant.format === 'webp' ? 'first' : 'last'
    const encoding = encoder
      .run({ order }, 'encodeVariant', () => objects.readable(masterName(file)), variant)
      .then((data) => objects.put(name, data))
      .finally(() => encodings.delete(name))
    encodings.set(name, encoding)
    return encoding
  }

  /** Undefined for an unknown file. */
  async function openMaster(file: string): Promise<OpenedImage | undefined> {
    const known = readImageFile(file)
    const opened = known && (await objects.open(masterName(file)))
    return opened && { ...opened, format: known.format }
  }

  /** Encoded first where it does not exist. Undefined for an unknown file. */
  async function openVariant(file: string, variant: Variant): Promise<OpenedImage | undefined> {
    const { format } = variant
    const name = nameOf(file, variant)
    let opened = await objects.open(name)
    if (!opened && (await objects.sizeOf(masterName(file))) !== undefined) {
      await encode(file, variant)
      opened = await objects.open(name)
    }
    return opened && { ...opened, format }
  }

  function encodeLater(file: string, variant: Variant) {
    encode(file, variant).catch((error) => {
      if (error instanceof ExpectedError && error.statusCode === 429) return
      log.warn(
        { err: error, file, width: variant.width },
        'image store: AVIF encoding failed, WebP is served until the next request',
      )
    })
  }

  /**
   * The master without a width, else a display size, or undefined for an unknown file. Animations and small works are
   * WebP always. AVIF is slow to encode: until its file exists, the result is WebP with `isFinal: false`.
   */
  async function find(
    file: string,
    { width, format, motion }: { width?: Width; format: Format; motion: Motion },
  ): Promise<FoundImage | undefined> {
    const known = readImageFile(file)
    if (!known) return undefined
    const { small } = known
    const final = (opened: OpenedImage | undefined) => opened && { ...opened, isFinal: true }
    if (width === undefined) return final(await openMaster(file))
    if (motion === 'animated' && known.motion === 'animated') {
      const moving: Variant = { width: Math.min(width, LARGEST_ANIMATED) as Width, format: 'webp', motion, small }
      return final(await openVariant(file, moving))
    }
    const webp: Variant = { width, format: 'webp', motion: 'still', small }
    if (format === 'webp' || small) return final(await openVariant(file, webp))
    const avif: Variant = { ...webp, format: 'avif' }
    const opened = await objects.open(nameOf(file, avif))
    if (opened) return { ...opened, format: 'avif', isFinal: true }
    const meanwhile = await openVariant(file, webp)
    if (!meanwhile) return undefined
    encodeLater(file, avif)
    return { ...meanwhile, isFinal: false }
  }

  /** All files, in pages. */
  async function* list(): AsyncGenerator<StoredFile[], void> {
    for await (const page of objects.list())
      yield page.map((listed) => ({ ...listed, image: imageOf(listed.name.slice(listed.name.lastIndexOf('/') + 1)) }))
  }

  return {
    store,
    find,
    openMaster,
    list,
    /** Deletes the files of an image that no mint refers to. What it cannot delete, the job of orphans does. */
    remove: async (file: string) => {
      try {
        for (const name of [masterName(file), nameOf(file, first)]) await objects.remove(name)
      } catch (error) {
        log.warn({ err: error, file }, 'image store: an image of no mint was not removed, it is within a day')
      }
    },
    /** Those of the listed files that were written more than `ageMs` ago. */
    olderThan: async (ageMs: number, files: StoredFile[]) => {
      const old: StoredFile[] = []
      for (const file of files) if (((await objects.ageOf(file)) ?? 0) > ageMs) old.push(file)
      return old
    },
    removeFiles: async (files: StoredFile[]) => {
      for (const { name } of files) await objects.remove(name)
    },
    /** Completes all running encodings. */
    stop: async () => {
      await Promise.allSettled(encodings.values())
      encoder.stop()
      objects.close()
    },
  }
}
