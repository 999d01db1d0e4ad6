import type { RunFile } from '@nifty/local/run-file'
import type { TestProject } from 'vitest/node'
import { startStore } from '../store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    run: RunFile
  }
}

/** One store for all browser tests: each makes its own accounts, and takes a work that nobody else touches. */
export async function setup(project: TestProject) {
  const store = await startStore({ works: 40 })
  project.provide('run', store.run)
  return () => store.remove()
}
