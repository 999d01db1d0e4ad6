import sharp from 'sharp'
import { runLauncher } from './run-launcher.ts'
import { startStore } from './store/store.ts'

// One process holds the whole store: pictures are made one after the other, and none is kept in memory.
sharp.cache(false)
sharp.concurrency(1)

await runLauncher({ start: startStore, parts: { kafka: false, redis: false } }, process.env)
