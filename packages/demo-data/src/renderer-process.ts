import { renderAvatar } from './art/avatar.ts'
import { renderWork } from './art/render.ts'
import type { RenderRequest, RenderResponse } from './renderer.ts'

let last: Promise<void> = Promise.resolve()
const respond = (response: RenderResponse) => process.send?.(response)

process.on('message', (request: RenderRequest) => {
  last = last.then(() =>
    ('work' in request ? renderWork(request.work, request) : renderAvatar(request.avatarOf)).then(
      (image) => void respond({ image }),
      (error: unknown) => void respond({ error: String(error) }),
    ),
  )
})
process.once('disconnect', () => process.exit(0))
