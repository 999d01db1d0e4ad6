import { spawnSync } from 'node:child_process'

/** `pnpm check`: all of them, so that one run reports what is wrong with format, types and rules. */
const commands = [
  'biome check .',
  'tsc -p packages/tsconfig.json',
  'tsc -p web/tsconfig.json',
  'vitest run --config packages/vitest.config.ts --project repo-rules',
]

const failed = commands.filter((command) => spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0)
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(' · ')}\n`)
  process.exitCode = 1
}
