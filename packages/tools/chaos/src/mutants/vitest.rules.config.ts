import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ruleFiles } from './rules.ts'

/** The unit tests beside the rules, for StrykerJS. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../../../..'),
    include: ruleFiles.map((file) => file.replace(/\.ts$/, '.test.ts')),
  },
})
