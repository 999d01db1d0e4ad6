import { renderAvatar } from './art/avatar.ts'
import { renderWork } from './art/render.ts'
import type { Commission, Painting } from './renderer.ts'

let last: Promise<void> = Promise.resolve()
const answer = (painting: Painting) => process.send?.(painting)

process.on('message', (commission: Commission) => {
  last = last.then(() =>
    ('work' in commission ? renderWork(commission.work) : renderAvatar(commission.avatarOf)).then(
      (picture) => void answer({ picture }),
      (error: unknown) => void answer({ failed: String(error) }),
    ),
  )
})
process.once('disconnect', () => process.exit(0))
