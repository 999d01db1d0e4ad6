import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compilerSettings } from '@nifty/contracts/compile'
import { root } from '../repo-rules/tree.ts'

/**
 * Runs Slither over the contracts, with the compiler of the lock file. Fails for a finding above "informational" that
 * allowed-findings.json does not have, and for an entry of it that is found no more. Slither is installed from
 * requirements.txt into a folder that is removed afterwards. Where it cannot be installed, the analysis is skipped, but
 * not in CI.
 *
 * With `--standard-json` or `--version` this program is the compiler that Slither calls.
 */
type Finding = {
  check: string
  impact: string
  description: string
  elements: { name: string; type_specific_fields?: { parent?: { name: string } } }[]
}
type Allowed = { check: string; in: string; reason: string }

const contracts = join(root, 'packages/contracts')
const require = createRequire(join(contracts, 'package.json'))
const IGNORED_IMPACTS = ['Informational', 'Optimization']

if (process.argv.includes('--version')) print(`Version: ${require('solc').version()}`)
else if (process.argv.includes('--standard-json')) print(require('solc').compile(readFileSync(0, 'utf8')))
else {
  const folder = mkdtempSync(join(tmpdir(), 'nifty-slither-'))
  try {
    process.exitCode = analyse(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function analyse(folder: string): number {
  const slither = install(join(folder, 'venv'))
  if (!slither) {
    print('NOT ANALYSED: Slither cannot be installed. It needs python3 with venv, and a registry of its packages.')
    return process.env.CI ? 1 : 0
  }
  const findings = run(slither, folder)
  const allowed: Allowed[] = JSON.parse(readFileSync(join(import.meta.dirname, 'allowed-findings.json'), 'utf8'))
  const isAllowed = (finding: Finding) =>
    allowed.some(({ check, in: place }) => check === finding.check && place === placeOf(finding))
  const unexpected = findings.filter((finding) => !isAllowed(finding))
  const stale = allowed.filter(
    ({ check, in: place }) => !findings.some((finding) => check === finding.check && place === placeOf(finding)),
  )
  for (const { check, impact, description } of unexpected) print(`${impact}: ${check}\n${description}`)
  for (const { check, in: place } of stale)
    print(`allowed-findings.json: ${check} in ${place} is found no more, remove the entry`)
  print(`${findings.length} findings, ${unexpected.length} of them not allowed`)
  return unexpected.length + stale.length === 0 ? 0 : 1
}

/** The path of Slither; undefined when it cannot be installed. */
function install(venv: string): string | undefined {
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--requirement']
  try {
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' })
    execFileSync(join(venv, 'bin/pip'), [...pip, join(import.meta.dirname, 'requirements.txt')], { stdio: 'inherit' })
    return join(venv, 'bin/slither')
  } catch {
    return undefined
  }
}

/** Findings about the project's own sources. */
function run(slither: string, folder: string): Finding[] {
  const sources = writeSources(folder)
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'metadata'], '': ['ast'] } }
  const input = { language: 'Solidity', sources, settings: { ...compilerSettings, outputSelection } }
  writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
  const solc = join(folder, 'solc')
  writeFileSync(solc, `#!/bin/sh\nexec "${process.execPath}" "${import.meta.filename}" "$@"\n`, { mode: 0o755 })

  const options = ['--compile-force-framework', 'solc-json', '--solc', solc, '--filter-paths', '@openzeppelin']
  const { stderr } = spawnSync(slither, ['input.json', ...options, '--json', 'findings.json', '--fail-none'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const file = join(folder, 'findings.json')
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { success: false }
  if (!report.success) throw new Error(`Slither failed: ${stderr}`)
  const findings: Finding[] = report.results.detectors ?? []
  return findings.filter(({ impact }) => !IGNORED_IMPACTS.includes(impact))
}

/** Sources by the name under which they import each other; Slither reads them from the disk as well. */
function writeSources(folder: string): Record<string, { content: string }> {
  const openZeppelin = dirname(require.resolve('@openzeppelin/contracts/package.json'))
  mkdirSync(join(folder, '@openzeppelin'))
  symlinkSync(openZeppelin, join(folder, '@openzeppelin/contracts'))
  const own = readdirSync(join(contracts, 'solidity')).filter((file) => file.endsWith('.sol'))
  for (const file of own) writeFileSync(join(folder, file), readFileSync(join(contracts, 'solidity', file)))

  const sources: Record<string, { content: string }> = {}
  const add = (name: string) => {
    if (sources[name]) return
    const content = readFileSync(join(folder, name), 'utf8')
    sources[name] = { content }
    for (const [, path] of content.matchAll(/from\s+"([^"]+)"/g))
      add(path!.startsWith('.') ? join(dirname(name), path!) : path!)
  }
  own.forEach(add)
  return sources
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Contract and function of a finding. */
function placeOf({ elements: [first] }: Finding): string {
  const contract = first?.type_specific_fields?.parent?.name
  return contract ? `${contract}.${first.name}` : String(first?.name)
}
