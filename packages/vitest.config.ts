import { defineConfig } from 'vitest/config'
import { type Project, projectOf, root, testFiles } from './vitest.projects.ts'
import { LongestFirst } from './vitest.sequencer.ts'

/** Groups run one after the other; the files of a group beside each other. */
const project = (name: Project, groupOrder: number) => ({
  name,
  root,
  include: testFiles.filter((file) => projectOf(file) === name),
  sequence: { groupOrder },
  // A poll ends when its condition holds; this limit only decides when a failed one is reported.
  expect: { poll: { timeout: 30_000 } },
})

/** Files at a time on two cores. Vitest would take one, and what waits for a chain or a store leaves them idle. */
const alone = { isolate: false, testTimeout: 60_000, maxWorkers: 2 }
const withServers = {
  globalSetup: ['packages/tools/dev-servers/src/test-postgres.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 4,
  isolate: false,
}
const wholeStores = { testTimeout: 180_000, hookTimeout: 300_000, maxWorkers: 3, isolate: false }

/**
 * `unit` starts nothing; `repo-rules` reads the repository; `services` needs PostgreSQL and a chain; `journeys` whole
 * stores; `browser` and `browser-timing` go through every screen of a store that each worker shares between files.
 */
export default defineConfig({
  test: {
    root,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['packages/tools/tests/src/shared-store/setup.ts'],
    projects: [
      { test: { ...project('unit', 0), ...alone, unstubGlobals: true, unstubEnvs: true } },
      { test: { ...project('repo-rules', 0), ...alone } },
      { test: { ...project('services', 1), ...withServers } },
      { test: { ...project('journeys', 2), ...wholeStores } },
      { test: { ...project('browser', 2), ...wholeStores } },
      { test: { ...project('services-full', 3), ...withServers, maxWorkers: wholeStores.maxWorkers } },
      { test: { ...project('journeys-full', 3), ...wholeStores } },
      { test: { ...project('browser-full', 3), ...wholeStores } },
      { test: { ...project('browser-timing-full', 4), ...wholeStores, maxWorkers: 1 } },
      { test: { ...project('services-release', 5), ...withServers, maxWorkers: wholeStores.maxWorkers } },
      { test: { ...project('journeys-release', 5), ...wholeStores } },
    ],
  },
})
