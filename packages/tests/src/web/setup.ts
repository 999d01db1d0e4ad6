import type { RunFile } from '@nifty/local/run-file'
import { startStore } from '@nifty/testkit/store'
import { startOutside } from '@nifty/testkit/third-parties'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    run: RunFile
    /** Where the operator's scripts and film come from. */
    outside: string
  }
}

/** One store for all browser tests: each makes its own accounts, and takes a work that nobody else touches. */
export async function setup(project: TestProject) {
  const outside = await startOutside()
  const store = await startStore({ works: 40, env: outside.env })
  project.provide('run', store.run)
  project.provide('outside', outside.origin)
  return async () => {
    await store.remove()
    await outside.stop()
  }
}
