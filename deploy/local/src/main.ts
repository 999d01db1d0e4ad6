import { runLauncher } from './launcher.ts'

await runLauncher(
  {
    load: async () => (await import('./store/store.ts')).startStore,
    needs: { kafka: false, redis: false, pooler: false, objectStorage: false },
  },
  process.env,
)
