import { collector } from '../base/metrics.ts'
import type { Objects } from './objects.ts'

/** Up while the folder or the bucket responds to a request for an object that is not there. No metrics of its own. */
export const objectsCollector = (objects: Pick<Objects, 'sizeOf'>) =>
  collector({
    source: 'pictures',
    metrics: {},
    read: async () => {
      await objects.sizeOf('none')
      return {}
    },
  })
