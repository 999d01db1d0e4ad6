import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')
const browserTests = ['packages/tests/src/{web,screens}/*.test.ts']

/** Whole stores share the built front end and the machine's two cores: one group after the other. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } })

/** Waiting ends when what is waited for is there; how long that may take is no part of what a test says. */
const patient = { expect: { poll: { timeout: 30_000 } } }

/** `repo-rules` reads the repository; `services` needs PostgreSQL and a chain; `journeys` whole stores;
 * `browser` goes through every screen of one store. */
export default defineConfig({
  test: {
    root,
    projects: [
      { test: { name: 'repo-rules', root, ...inTurn(0), include: ['packages/tests/src/repo-rules/*.test.ts'] } },
      {
        test: {
          name: 'services',
          root,
          ...patient,
          ...inTurn(1),
          include: [
            ...['services', 'gateway', 'deploy', 'web'],
            ...['api', 'service-kit', 'card-sandbox', 'dev-servers', 'demo-data'].map((name) => `packages/${name}`),
          ].map((folder) => `${folder}/**/*.test.ts`),
          globalSetup: ['packages/dev-servers/src/test-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // kafkajs sets timers for moments that have passed.
          execArgv: ['--disable-warning=TimeoutNegativeWarning'],
        },
      },
      {
        test: {
          name: 'journeys',
          root,
          ...patient,
          ...inTurn(2),
          include: ['packages/tests/src/{journeys,deploy}/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'browser',
          root,
          ...patient,
          ...inTurn(3),
          include: browserTests,
          globalSetup: ['packages/tests/src/web/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
