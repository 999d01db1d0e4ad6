import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { DEMO_FILE, readSettings } from './settings.ts'

const live = { STRIPE_SECRET_KEY: 'sk_live_0', STRIPE_WEBHOOK_SECRET: 'whsec_0' }

test.each(['main.ts', 'cluster/main.ts', 'store/main.ts'])(
  'with a live key and little else %s starts nothing, and names what is missing',
  async (program) => {
    const NIFTY_HOME = await temporaryFolder('live-key')
    const needed = {
      POSTGRES_URL: 'postgres://127.0.0.1:1/postgres',
      INTERNAL_SECRET: 'x'.repeat(32),
      STORE_ID: 'shop',
    }
    const env = { PATH: process.env.PATH, NIFTY_HOME, ...needed, ...live }
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, program)], {
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    for (const name of ['PUBLIC_URL', 'CHAIN_RPC_URL', 'CHAIN_SIGNER_KEY', 'SMTP_URL', 'MAIL_FROM', 'COMPANY_NAME'])
      expect(stderr).toMatch(new RegExp(`^ {2}${name} is `, 'm'))
  },
)

test('a key with a space in front is no test key: it is refused', () => {
  expect(() => readSettings({ STRIPE_SECRET_KEY: ' sk_live_0' }, [])).toThrow('STRIPE_SECRET_KEY')
})

test('a data directory with demo accounts takes no live key, unless it is emptied', async () => {
  const NIFTY_HOME = await temporaryFolder('demo-accounts')
  await writeFile(join(NIFTY_HOME, DEMO_FILE), '{}')
  const start = (argv: string[]) => () => readSettings({ ...live, NIFTY_HOME }, argv)
  expect(start([])).toThrow(`${NIFTY_HOME}, which has demo accounts`)
  expect(start(['--fresh'])).toThrow(/^((?!demo accounts).)*$/s)
})

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Runs a script of package.json in a folder with this `.env`. Returns its output. */
async function runScript(name: string, { dotEnv, env, args = '' }: { dotEnv: string; env?: object; args?: string }) {
  const cwd = await temporaryFolder('dot-env')
  await writeFile(join(cwd, '.env'), dotEnv)
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const command = `${scripts[name]!.replace(' deploy/', ` ${root}/deploy/`)} ${args}`
  const { stdout, stderr } = spawnSync(command, { shell: true, cwd, env: { PATH, ...env }, encoding: 'utf8' })
  return stdout + stderr
}

test('pnpm start reads .env, and a variable of the environment wins', async () => {
  const dotEnv = 'PORT=first\nREPLICAS=second\n'
  expect(await runScript('start', { dotEnv })).toMatch(/PORT[\s\S]*REPLICAS/)
  const output = await runScript('start', { dotEnv, env: { PORT: '8080' } })
  expect(output).toContain('REPLICAS')
  expect(output).not.toContain('PORT')
})

test("the operator's tool reads .env", async () => {
  const output = await runScript('ops', { dotEnv: 'NIFTY_HOME=/no/store/here', args: 'status' })
  expect(output).toContain('/no/store/here')
})
