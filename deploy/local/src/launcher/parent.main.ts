import { startStore } from '@nifty/testkit/store'

/** Starts a store as a test does, prints its data directory and process id, and waits. */
const store = await startStore({ works: 0 })
process.stdout.write(`${JSON.stringify({ folder: store.folder, pid: store.pid() })}\n`)
