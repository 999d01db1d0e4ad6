import { afterEach, expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import { createProgram, type Values } from './program.ts'

afterEach(() => void vi.restoreAllMocks())

/** What is run for these words, what is printed, and what is refused. */
async function parse(words: string[]) {
  const ran: [string, string[], Values][] = []
  let printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  const program = createProgram(async (name, args, values) => void ran.push([name, args, { ...values }]))
  const refused = await program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    ({ message, exitCode }) => (exitCode === 0 ? undefined : message),
  )
  return { ran: ran[0], printed, refused }
}

test('a command of one word or two gets its arguments and options', async () => {
  const confirmed = { yes: true, reason: 'a test' }
  const words = ['--yes', '--reason', 'a test']
  expect((await parse(['acknowledge', 'disputed', 'dp_1', ...words])).ran).toEqual([
    'acknowledge',
    ['disputed', 'dp_1'],
    confirmed,
  ])
  expect((await parse(['acknowledge', 'difference', 'intent', 'pi_1', ...words])).ran).toEqual([
    'acknowledge difference',
    ['intent', 'pi_1'],
    confirmed,
  ])
  expect((await parse(['orders', '--of', '@ada', '--json'])).ran).toEqual(['orders', [], { of: '@ada', json: true }])
  expect((await parse(['status', '--yes'])).ran).toEqual(['status', [], { yes: true }])
})

test.each<[string[], string]>([
  [['oders'], '(Did you mean orders?)'],
  [['signers', 'ad'], '(Did you mean add?)'],
  [['orders', '--stat', 'placed'], '(Did you mean --state?)'],
  [['cancel-order'], "missing required argument 'order'"],
  [['order', 'one', 'two'], "too many arguments for 'order'"],
  [['messages', '--since', '2026-11-22T14:00:00Z'], "unknown option '--since'"],
  [['refund', 'D3EA7C40', '--json'], "unknown option '--json'"],
  [['sales', '--month'], "option '--month <month>' argument missing"],
])('%j is refused with what is wrong and what was meant', async (words, message) => {
  expect(await parse(words)).toMatchObject({ ran: undefined, refused: expect.stringContaining(message) })
})

test('each command has a help of its own, with its arguments and options', async () => {
  for (const [name, { usage }] of Object.entries(commands)) {
    const { ran, printed } = await parse([...name.split(' '), '--help'])
    expect([name, ran]).toEqual([name, undefined])
    expect(printed).toContain(`Usage: pnpm ops ${name} `)
    for (const argument of usage.match(/<[^>]+>/g) ?? []) expect(printed.replaceAll(/\s+/g, ' ')).toContain(argument)
  }
  expect((await parse(['orders', '--help'])).printed).toMatch(/--of <account> .*--json/s)
  expect((await parse(['status', '--help'])).printed).not.toContain('--yes')
})

test('the help of all commands has each one in a line', async () => {
  const { printed } = await parse(['--help'])
  for (const name of Object.keys(commands)) expect(printed).toMatch(new RegExp(`^ {2}${name.split(' ')[0]}\\b`, 'm'))
})
