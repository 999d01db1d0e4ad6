import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Campaign } from '../campaign/campaign.ts'
import { copyWorkspace } from '../campaign/workspace-copy.ts'

const run = promisify(execFile)

/** Pure rules about money, orders and items; their unit tests start nothing. */
export const ruleFiles = [
  'packages/api/src/price.ts',
  'services/catalog/src/items/item.ts',
  'services/payments/src/books/allocation.ts',
  'services/payments/src/books/book.ts',
  'services/payments/src/orders/line.ts',
  'services/payments/src/orders/order.ts',
  'services/payments/src/orders/steps/sale.ts',
]

/** Percent of the mutants of a file that its tests have to detect. A lower score is a violation. */
const MIN_SCORE = 75

type Mutant = { status: string; mutatorName: string; replacement?: string; location: { start: { line: number } } }
type StrykerReport = { files: Record<string, { mutants: Mutant[] }> }

/**
 * StrykerJS on the pure rules: it changes operators, conditions and values one after the other and runs the unit tests.
 * It changes files in place, so it works on a copy of the workspace. The score of each file goes into the result.
 */
export const mutateRules: Campaign = async (log) => {
  const copy = await mkdtemp(join(tmpdir(), 'nifty-rules-'))
  try {
    await copyWorkspace(copy)
    await run('git', ['init', '--quiet'], { cwd: copy })
    const report = join(copy, 'mutation.json')
    await writeFile(
      join(copy, 'stryker.config.json'),
      JSON.stringify({
        mutate: ruleFiles,
        testRunner: 'vitest',
        plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
        vitest: { configFile: 'packages/tools/chaos/src/mutants/vitest.rules.config.ts' },
        inPlace: true,
        concurrency: 2,
        coverageAnalysis: 'perTest',
        reporters: ['json'],
        jsonReporter: { fileName: report },
        tempDirName: join(copy, '.stryker'),
        allowConsoleColors: false,
      }),
    )
    const stryker = join(fileURLToPath(import.meta.resolve('@stryker-mutator/core')), '../../../bin/stryker.js')
    await run(process.execPath, [stryker, 'run', 'stryker.config.json'], { cwd: copy, maxBuffer: 2 ** 26 })
    return scores(JSON.parse(await readFile(report, 'utf8')), log)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const detected = ['Killed', 'Timeout']
const undetected = ['Survived', 'NoCoverage']

function scores({ files }: StrykerReport, log: (text: string) => void) {
  const metrics: Record<string, string> = {}
  const violations: string[] = []
  for (const [file, { mutants }] of Object.entries(files)) {
    const killed = mutants.filter(({ status }) => detected.includes(status)).length
    const survivors = mutants.filter(({ status }) => undetected.includes(status))
    const score = Math.round((100 * killed) / (killed + survivors.length))
    metrics[file] = `${score} % of ${killed + survivors.length}`
    if (score < MIN_SCORE) violations.push(`${file}: ${score} % of mutants were detected, ${MIN_SCORE} % are wanted`)
    for (const { location, mutatorName, replacement } of survivors)
      log(`survived: ${file}:${location.start.line} ${mutatorName} ${replacement ?? ''}`)
  }
  return { metrics, violations }
}
