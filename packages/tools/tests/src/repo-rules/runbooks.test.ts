import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rules } from '../observability/rules.ts'
import { files, root, sources } from './tree.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const runbooks = files
  .flatMap((file) => /^deploy\/runbooks\/(Nifty.+)\.md$/.exec(file)?.[1] ?? [])
  .map((name) => ({ name, text: read(`deploy/runbooks/${name}.md`) }))

/** Texts of all log calls of gateway and services. */
const logged = sources
  .filter((file) => /^(services|gateway|packages\/service-kit)\//.test(file) && !file.includes('.test.'))
  .flatMap((file) => [...read(file).matchAll(/\blog(?:\.\w+|\[[^\]]+\])\((?=(.{0,400}))/gs)])
  .flatMap(([, call = '']) => [...call.matchAll(/'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g)])
  .flatMap(([, single, double, template]) => patternOf(single ?? double ?? template!))

/** Expressions of a template match any text; a template of little else is left out. */
function patternOf(message: string): RegExp[] {
  const literals = message.split(/\$\{[^}]+\}/)
  if (literals.join('').length < 10) return []
  return [new RegExp(`^${literals.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.+')}$`)]
}

const isLogged = (message: string) => logged.some((pattern) => pattern.test(message))

/** Log messages that a runbook quotes: code with a space, on lines that contain "log of". */
const quotedIn = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => /\blog of\b(.*)/i.exec(line)?.[1] ?? [])
    .flatMap((rest) => [...rest.matchAll(/`([^`]+ [^`]+)`/g)].map(([, quoted]) => quoted!))

test('every alert has a runbook, and every runbook an alert', () => {
  expect(runbooks.map(({ name }) => name).sort()).toEqual([...new Set(rules.map(({ alert }) => alert))].sort())
})

test.each(runbooks)('the runbook $name has its name as title and all headings', ({ name, text }) => {
  expect(text.split('\n')[0]).toBe(`# ${name}`)
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Meaning', 'Customers', 'Check', 'Do', 'Resolved'])
})

const losses = files.flatMap((file) => /^deploy\/runbooks\/([a-z-]+)\.md$/.exec(file)?.[1] ?? [])

test('runbooks without an alert are in the list, and have the same headings', () => {
  const headingsOf = (name: string) =>
    [...read(`deploy/runbooks/${name}.md`).matchAll(/^## (.+)$/gm)].map(([, text]) => text)
  expect(losses.length).toBeGreaterThan(2)
  for (const name of losses) {
    expect(headingsOf(name), name).toEqual(headingsOf(runbooks[0]!.name))
    expect(read('deploy/runbooks/README.md')).toContain(`(${name}.md)`)
  }
})

test.each(runbooks)('every log message that $name quotes exists in the code', ({ text }) => {
  expect(quotedIn(text).filter((message) => !isLogged(message))).toEqual([])
})

test('quoted log messages are found, so that the comparison is not empty', () => {
  expect(runbooks.filter(({ text }) => quotedIn(text).length > 0).length).toBeGreaterThan(6)
  expect(quotedIn('- Log of catalog: `a lost line`, `pool`, `two words`.')).toEqual(['a lost line', 'two words'])
  expect(isLogged('unexpected error, returning 500')).toBe(true)
  expect(isLogged('unexpected error')).toBe(false)
})

test('NiftyMoneyAlarm explains every alarm of payments', () => {
  const [, declared = ''] = /alarmNames = \[([^\]]+)\]/.exec(read('services/payments/src/alarms/alarm.store.ts')) ?? []
  const names = [...declared.matchAll(/'(\w+)'/g)].map(([, name]) => name)
  const table = read('deploy/runbooks/NiftyMoneyAlarm.md')
    .split('\n')
    .flatMap((line) => /^\| (`.+`) \|/.exec(line)?.[1] ?? [])
    .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(names.length).toBeGreaterThan(10)
  expect(table.sort()).toEqual(names.sort())
})

test('NiftyMetricsMissing names collectors that exist', () => {
  const collectors = sources
    .filter((file) => /^(services|packages\/service-kit)\//.test(file) && !file.includes('.test.'))
    .flatMap((file) => [...read(file).matchAll(/\bsource: '(\w+)'/g)].map(([, name]) => name))
  const listed = read('deploy/runbooks/NiftyMetricsMissing.md')
    .split('\n')
    .flatMap((line) => /^- ((?:`\w+`(?:, )?)+):/.exec(line)?.[1] ?? [])
    .flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(listed.length).toBeGreaterThan(5)
  expect(collectors).toEqual(expect.arrayContaining(listed))
})

test('no document puts a key into the arguments of a command in a pod, which audit logs have', () => {
  const commands = files
    .filter((file) => /\.(md|txt)$/i.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\bkubectl\b[^\n]*\bexec\b(?:[^\n]*\\\n)*[^\n]*/g)].map(([text]) => text),
    )
  expect(commands.length).toBeGreaterThan(0)
  // A substitution with a file is made by the operator's own shell, unless the whole argument is quoted.
  for (const command of commands) expect(command.replaceAll(/'[^']*'/g, '')).not.toMatch(/\$\(|KEY=|PASSWORD=/)
})

test('every `pnpm ops` command in documents and in the code exists', async () => {
  const { findCommand } = await import(join(root, 'deploy/ops/src/commands.ts'))
  const texts = files.filter((file) => /\.(md|ts|tsx|yaml|txt)$/i.test(file))
  const mentioned = texts.flatMap((file) =>
    [...read(file).matchAll(/pnpm ops ([a-z][a-z-]*(?: [a-z]+)?)/g)].map(([, command]) => ({
      file,
      command: command!,
    })),
  )
  expect(mentioned.length).toBeGreaterThan(20)
  expect(mentioned.filter(({ command }) => !findCommand(command.split(' ')).command)).toEqual([])
})
