import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { WorkOfArt } from './art/render.ts'

export type Commission = { work: WorkOfArt } | { avatarOf: string }
export type Painting = { picture?: Buffer; failed?: string }

/** Draws pictures in a process of its own, so that the store stays quick and small meanwhile. */
export function startPainter() {
  const child = fork(join(import.meta.dirname, 'renderer-process.ts'), [], {
    serialization: 'advanced',
    detached: true,
  })
  const waiting: { resolve: (picture: Buffer) => void; reject: (error: Error) => void }[] = []
  child.on('message', ({ picture, failed }: Painting) => {
    const next = waiting.shift()
    if (picture) next?.resolve(Buffer.from(picture))
    else next?.reject(new Error(failed))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('the painter has gone'))
  })
  return {
    /** One after the other: the answers come in the order of the questions. */
    paint: (commission: Commission) =>
      new Promise<Buffer>((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.send(commission)
      }),
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}
