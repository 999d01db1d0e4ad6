import { runLauncher } from './run-launcher.ts'

await runLauncher(
  { load: async () => (await import('./store/store.ts')).startStore, parts: { kafka: false, redis: false } },
  process.env,
)
