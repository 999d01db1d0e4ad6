import { renderAvatar } from './art/avatar.ts'
import { renderCover, renderWork } from './art/render.ts'
import type { RenderRequest, RenderResponse } from './renderer.ts'

let last: Promise<void> = Promise.resolve()
const respond = (response: RenderResponse) => process.send?.(response)

function render(request: RenderRequest): Promise<Buffer> {
  if ('work' in request) return renderWork(request.work, request)
  return 'avatarOf' in request ? renderAvatar(request.avatarOf) : renderCover(request.coverOf)
}

process.on('message', (request: RenderRequest) => {
  last = last.then(() =>
    render(request).then(
      (image) => void respond({ image }),
      (error: unknown) => void respond({ error: String(error) }),
    ),
  )
})
process.once('disconnect', () => process.exit(0))
