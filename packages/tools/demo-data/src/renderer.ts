import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { FamilyName } from './art/families.ts'
import type { WorkOfArt } from './art/render.ts'

export type RenderRequest = { work: WorkOfArt; large: boolean } | { avatarOf: string } | { coverOf: FamilyName }
export type RenderResponse = { image?: Buffer; error?: string }

/** Renders images in a child process, to keep the store's process fast and small. */
export function startRenderer() {
  const child = fork(join(import.meta.dirname, 'renderer-process.ts'), [], {
    serialization: 'advanced',
    detached: true,
  })
  const pending: { resolve: (image: Buffer) => void; reject: (error: Error) => void }[] = []
  child.on('message', ({ image, error }: RenderResponse) => {
    const next = pending.shift()
    if (image) next?.resolve(Buffer.from(image))
    else next?.reject(new Error(error))
  })
  child.on('exit', () => {
    for (const { reject } of pending.splice(0)) reject(new Error('the renderer process exited'))
  })
  return {
    /** Responses arrive in the order of the requests: the process renders one image at a time. */
    render: (request: RenderRequest) =>
      new Promise<Buffer>((resolve, reject) => {
        pending.push({ resolve, reject })
        child.send(request)
      }),
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}
