import { join } from 'node:path'
import { ruleFiles } from './rules.ts'

/** The unit tests beside the rules, for StrykerJS. */
export default {
  test: {
    root: join(import.meta.dirname, '../../../../..'),
    include: ruleFiles.map((file) => file.replace(/\.ts$/, '.test.ts')),
  },
}
