import { perService } from '@nifty/api/services'
import { runLauncher } from '../launcher.ts'
import type { StartStore } from '../start.ts'

/** A launcher whose store never stops. `STOP_WITHIN_MS`: when it gives up. */
const startStore: StartStore = async () => ({
  clients: perService(() => ({ inject: () => Promise.reject(new Error('not called')) })),
  internalUrls: perService(() => 'http://127.0.0.1:9'),
  startBackground: () => {},
  stop: () => {
    process.stdout.write('stopping\n')
    return new Promise(() => {})
  },
})

await runLauncher(
  {
    load: async () => startStore,
    needs: { kafka: false, redis: false, pooler: false, objectStorage: false },
    stopWithinMs: Number(process.env.STOP_WITHIN_MS),
  },
  process.env,
)
