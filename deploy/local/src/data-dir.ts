import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The folder in which a store keeps everything: data, pictures, mails, secrets, logs. */
export type Home = { folder: string; file: (...names: string[]) => string }

export async function openHome(folder: string, { fresh }: { fresh: boolean }): Promise<Home> {
  await waitForPredecessor(folder)
  if (fresh) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // PostgreSQL refuses to run as root, and as another user it must be able to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o755)
  return { folder, file: (...names) => join(folder, ...names) }
}

const processesFile = 'processes.json'

/** Written by the process that holds the database server and the chain, so that a next start can wait for its end. */
export type Processes = { outside: number; chain?: number; store: number }

export const writeProcesses = (home: Home, processes: Processes) => writeJson(home.file(processesFile), processes)

/** Two stores on one folder would ruin it. What a killed store left behind is ended first. */
async function waitForPredecessor(folder: string) {
  const before = await readJson<Processes>(join(folder, processesFile))
  if (!before) return
  if (await runs(before.store, 'deploy/local'))
    throw new Error(`A store already runs on ${folder} (process ${before.store}). Stop it first, or set NIFTY_HOME.`)
  for (let waited = 0; waited < 10_000 && (await runs(before.outside, 'dependencies')); waited += 50) await sleep(50)
  if (await runs(before.outside, 'dependencies')) process.kill(before.outside, 'SIGKILL')
  if (before.chain && (await runs(before.chain, 'anvil'))) {
    // SIGTERM makes it write its state.
    process.kill(before.chain, 'SIGTERM')
    for (let waited = 0; waited < 5_000 && (await runs(before.chain, 'anvil')); waited += 50) await sleep(50)
  }
  await rm(join(folder, processesFile), { force: true })
}

/** True when the process lives and is what it was: its number may belong to somebody else by now. */
async function runs(pid: number, word: string) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command?.includes(word) ?? true
}

/** Secrets of this store, made at its first start. Only the owner of the folder may read them. */
export type Secrets = {
  authSigningKey: string
  internalSecret: string
  stripeKey: string
  stripeWebhookSecret: string
  chainSignerKey: string
  chainDeployerKey: string
}

export async function readSecrets(home: Home): Promise<Secrets> {
  const file = home.file('secrets.json')
  const known = await readJson<Secrets>(file)
  if (known) return known
  const privateKey = () => `0x${randomBytes(32).toString('hex')}`
  const made: Secrets = {
    authSigningKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    internalSecret: randomBytes(32).toString('base64url'),
    stripeKey: `sk_test_${randomBytes(24).toString('hex')}`,
    stripeWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    chainSignerKey: privateKey(),
    chainDeployerKey: privateKey(),
  }
  await writeJson(file, made)
  return made
}

export async function readJson<Content>(file: string): Promise<Content | undefined> {
  if (!existsSync(file)) return undefined
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Whole or not at all: a start that is killed while writing leaves the old file. */
export async function writeJson(file: string, content: unknown) {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
