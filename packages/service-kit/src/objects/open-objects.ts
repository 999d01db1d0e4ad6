import { join } from 'node:path'
import { openFolder } from './folder-objects.ts'
import type { ObjectSettings } from './object-settings.ts'
import type { ObjectLog, Objects } from './objects.ts'

/**
 * The objects below `part` of the folder or of the bucket, all of them when it is empty. With both, objects move from
 * the one to the other: they are written to both and read from the folder, then from the bucket, so that processes with
 * one of them alone find all.
 */
export async function openObjects({ folder, bucket }: ObjectSettings, part: string, log: ObjectLog): Promise<Objects> {
  const files = folder === undefined ? undefined : await openFolder(join(folder, part))
  if (!bucket) return files!
  // A store on a folder does not load the SDK.
  const { openBucket } = await import('./s3-objects.ts')
  const objects = openBucket({ ...bucket, prefix: `${bucket.prefix}${part && `${part}/`}` }, log)
  return files ? moving(objects, files) : objects
}

function moving(bucket: Objects, folder: Objects): Objects {
  return {
    async put(name, bytes) {
      await bucket.put(name, bytes)
      await folder.put(name, bytes)
    },
    open: async (name) => (await folder.open(name)) ?? bucket.open(name),
    sizeOf: async (name) => (await folder.sizeOf(name)) ?? bucket.sizeOf(name),
    readable: async (name) => ((await folder.sizeOf(name)) === undefined ? bucket : folder).readable(name),
    async *list() {
      yield* bucket.list()
      yield* folder.list()
    },
    ageOf: (object) => (object.changedAt ? bucket : folder).ageOf(object),
    async remove(name) {
      await folder.remove(name)
      await bucket.remove(name)
    },
    close: bucket.close,
  }
}
