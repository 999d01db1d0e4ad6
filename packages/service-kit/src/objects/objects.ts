import type { Readable } from 'node:stream'

/** A file that was found; its stream has to be read or destroyed. Sizes in bytes. */
export type OpenedObject = { size: number; stream: Readable }

/**
 * `isDraft`: it is still being written, or was when its process ended. `changedAt`: absent where it has to be read, see
 * `ageOf`.
 */
export type ListedObject = { name: string; isDraft: boolean; changedAt?: Date }

/**
 * Files that are written once and never change, in a folder or a bucket. A name is a path of letters, digits and
 * `.`, `_`, `-`, whose parts begin with a letter or a digit; any other name throws. While a bucket does not respond or
 * refuses, every method rejects with 503 `storage_unavailable`.
 */
export type Objects = {
  /** Visible as a whole or not at all, also when the process is killed. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Undefined when there is none of that name. */
  open(name: string): Promise<OpenedObject | undefined>
  /** In bytes; undefined when there is none of that name. */
  sizeOf(name: string): Promise<number | undefined>
  /** What another process on this machine can read: the path of the file, or its bytes. Throws when there is none. */
  readable(name: string): Promise<string | Buffer>
  /** All files, in pages, in no order. */
  list(): AsyncGenerator<ListedObject[], void>
  /** Milliseconds since it was written; undefined when it was removed meanwhile. */
  ageOf(object: ListedObject): Promise<number | undefined>
  /** Does nothing when there is none of that name. */
  remove(name: string): Promise<void>
  close(): void
}

/** Of what a bucket refuses. */
export type ObjectLog = Record<'warn' | 'error', (fields: object, message: string) => void>

export const LISTED_AT_ONCE = 500

const safeName = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*\/)*[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Whether it can be the name of an object: no path out of its folder, no hidden file. */
export const isSafeName = (name: string) => name.length <= 500 && safeName.test(name)

/** Throws for a name that could leave the folder: a caller has not checked what a request named. */
export function assertSafeName(name: string) {
  if (!isSafeName(name)) throw new Error(`not a name of an object: ${JSON.stringify(name.slice(0, 100))}`)
}
