import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Campaign, Log } from '../campaign/campaign.ts'
import { copyWorkspace } from '../campaign/workspace-copy.ts'
import { mutants } from './list/list.ts'
import { apply, type Edit, type Mutant, type NamedTest } from './list/mutant.ts'

const run = promisify(execFile)
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'packages/vitest.config.ts', '--no-cache']

type Result = { title: string; fullName: string; status: string }
type Outcome = { results: Result[]; output: string }

/**
 * Takes one guard after the other out of a copy of the workspace, and runs the tests that have to fail then. Without
 * names all mutants of the list.
 */
export const runMutants =
  (names: string[]): Campaign =>
  async (log) => {
    const chosen = names.length === 0 ? mutants : names.map(mutantOf)
    const copy = await mkdtemp(join(tmpdir(), 'nifty-mutants-'))
    try {
      await copyWorkspace(copy)
      await run('git', ['init', '--quiet'], { cwd: copy })
      const broken = await checkUnchanged(copy, chosen, log)
      if (broken.length > 0) return { metrics: {}, violations: broken }
      return await tryAll(copy, chosen, log)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  }

function mutantOf(name: string): Mutant {
  const found = mutants.find((mutant) => mutant.name === name)
  if (!found) throw new Error(`no mutant ${name}, there are: ${mutants.map((mutant) => mutant.name).join(', ')}`)
  return found
}

/** A test that fails anyway catches nothing: all tests have to pass first. */
async function checkUnchanged(copy: string, chosen: Mutant[], log: Log): Promise<string[]> {
  const tests = chosen.flatMap((mutant) => mutant.tests)
  const { results, output } = await runTests(copy, tests)
  const failing = tests.filter((test) => {
    const named = results.filter(isOf(test))
    return named.length === 0 || named.some(({ status }) => status !== 'passed')
  })
  if (failing.length > 0) log(output)
  else log(`${new Set(tests.map(({ title }) => title)).size} tests pass without a mutant`)
  return failing.map(({ file, title }) => `does not pass without a mutant: ${file}: ${title}`)
}

async function tryAll(copy: string, chosen: Mutant[], log: Log) {
  const violations: string[] = []
  log('| mutant | guard | caught by |')
  for (const mutant of chosen) {
    const { results, output } = await withEdits(copy, mutant.edits, () => runTests(copy, mutant.tests))
    const caught = results.find(
      ({ status, ...result }) => status === 'failed' && mutant.tests.some((test) => isOf(test)(result)),
    )
    log(`| ${mutant.name} | ${mutant.rule} | ${caught?.title ?? '**survived**'} |`)
    if (caught) continue
    violations.push(`${mutant.name} survived: ${mutant.rule}`)
    // A mutant that does not start is no proof of its guard either.
    if (!results.some(({ status }) => status === 'passed')) log(output)
  }
  return { metrics: { mutants: chosen.length, caught: chosen.length - violations.length }, violations }
}

async function withEdits<Result>(copy: string, edits: Edit[], work: () => Promise<Result>): Promise<Result> {
  const files = [...new Set(edits.map(({ file }) => file)), 'packages/contracts/solidity/bytecode.json']
  const originals = await Promise.all(files.map((file) => readFile(join(copy, file), 'utf8')))
  try {
    for (const edit of edits) {
      const file = join(copy, edit.file)
      await writeFile(file, apply(await readFile(file, 'utf8'), edit))
    }
    // A deployment takes the contracts from bytecode.json, which this test writes.
    if (edits.some(({ file }) => file.endsWith('.sol')))
      await runVitest(copy, ['-u', '-t', 'bytecode.json equals', 'packages/contracts/src/abi.test.ts'])
    return await work()
  } finally {
    for (const [place, file] of files.entries()) await writeFile(join(copy, file), originals[place]!)
  }
}

async function runTests(copy: string, tests: NamedTest[]): Promise<Outcome> {
  const report = join(copy, 'results.json')
  await rm(report, { force: true })
  const titles = [...new Set(tests.map(({ title }) => title))]
    .map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  const files = [...new Set(tests.map(({ file }) => file))]
  const output = await runVitest(copy, ['--reporter=json', `--outputFile=${report}`, '-t', titles, ...files])
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}')
  const { testResults } = JSON.parse(text) as { testResults: { message: string; assertionResults: Result[] }[] }
  const messages = testResults.map(({ message }) => message).filter(Boolean)
  return {
    results: testResults.flatMap(({ assertionResults }) => assertionResults),
    output: [...messages, output].join('\n'),
  }
}

/** A test run that takes longer hangs. */
const TIMEOUT_MS = 600_000

/** The output, also of tests that fail. */
const runVitest = (copy: string, args: string[]): Promise<string> =>
  run(process.execPath, [...VITEST, ...args], { cwd: copy, maxBuffer: 2 ** 26, timeout: TIMEOUT_MS }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )

const isOf =
  ({ title }: NamedTest) =>
  (result: Pick<Result, 'title'>) =>
    result.title.startsWith(title)
