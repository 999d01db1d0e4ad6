import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '@nifty/dev-servers/is-running'

/** The folder of a store (`NIFTY_HOME`): databases, images, mails, secrets, logs. */
export type DataDir = { folder: string; file: (...names: string[]) => string }

/** Raised when a store cannot continue on the data of an older commit; see `refuseOtherFormat`. */
const FORMAT = 7
const formatFile = 'format.json'

/**
 * Opens the data directory and creates it at the first start. Waits for the processes of a store that is stopping on
 * it, ends those of a store that was killed, and throws when a store is running or starting on it. `fresh` empties it
 * first.
 */
export async function openDataDir(folder: string, { fresh }: { fresh: boolean }): Promise<DataDir> {
  await mkdir(folder, { recursive: true })
  await takeFolder(folder)
  await waitForPredecessor(folder)
  if (fresh) await empty(folder)
  await refuseOtherFormat(folder)
  // PostgreSQL refuses to run as root; the user that it runs as instead must be able to traverse the folder.
  if (process.getuid?.() === 0) await chmod(folder, 0o755)
  await writeJson(join(folder, formatFile), { format: FORMAT })
  return { folder, file: (...names) => join(folder, ...names) }
}

/** Has the id of the process that opened the folder last. */
const ownerFile = 'owner.pid'

const alreadyRuns = (folder: string, pid: number) =>
  new Error(`A store already runs on ${folder} (process ${pid}). Stop it first, or set NIFTY_HOME.`)

/** Makes this process the owner of the folder. Of processes that open it at the same time one succeeds. */
async function takeFolder(folder: string) {
  const file = join(folder, ownerFile)
  const own = `${file}.${process.pid}`
  await writeFile(own, String(process.pid))
  try {
    // A link is made only where no file has its name.
    while (!(await isLinked(own, file))) {
      const owner = await readPid(file)
      if (owner !== undefined && owner !== process.pid && (await isRunningAs(owner, 'deploy/')))
        throw alreadyRuns(folder, owner)
      const former = `${own}.former`
      await rename(file, former).catch(ignoreMissing)
      // Another process has taken the folder since its former owner was read.
      if ((await readPid(former)) !== owner) await isLinked(former, file)
      await rm(former, { force: true })
    }
  } finally {
    await rm(own, { force: true })
  }
}

/** False when a file of the new name exists. */
const isLinked = (file: string, name: string) =>
  link(file, name).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') return false
      throw error
    },
  )

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

const readPid = async (file: string) => Number(await readFile(file, 'utf8').catch(ignoreMissing)) || undefined

async function empty(folder: string) {
  for (const name of await readdir(folder))
    if (!name.startsWith(ownerFile)) await rm(join(folder, name), { recursive: true, force: true })
}

async function refuseOtherFormat(folder: string) {
  if (!existsSync(join(folder, 'secrets.json'))) return
  const { format = 1 } = (await readJson<{ format?: number }>(join(folder, formatFile))) ?? {}
  if (format !== FORMAT)
    throw new Error(
      `${folder} holds a store of another version (data format ${format}, this version reads ${FORMAT}). Start with --fresh to replace it, or set NIFTY_HOME to another folder.`,
    )
}

const processesFile = 'processes.json'

/** Process ids of a running store. The next start on the same data directory waits for their end. */
export type Processes = { store: number; dependencies: number; chain?: number }

export const writeProcesses = (dataDir: DataDir, processes: Processes) =>
  writeJson(dataDir.file(processesFile), processes)

/** Two stores on one data directory would corrupt it. Processes that a killed store left running are ended. */
async function waitForPredecessor(folder: string) {
  const before = await readJson<Processes>(join(folder, processesFile))
  if (!before) return
  if (before.store !== process.pid && (await isRunningAs(before.store, 'deploy/local')))
    throw alreadyRuns(folder, before.store)
  const dependenciesRun = () => isRunningAs(before.dependencies, 'dependencies')
  for (let waited = 0; waited < 15_000 && (await dependenciesRun()); waited += 50) await sleep(50)
  if (await dependenciesRun()) process.kill(before.dependencies, 'SIGKILL')
  if (before.chain && (await isRunningAs(before.chain, 'anvil'))) {
    // On SIGTERM anvil writes its state.
    process.kill(before.chain, 'SIGTERM')
    for (let waited = 0; waited < 5_000 && (await isRunningAs(before.chain, 'anvil')); waited += 50) await sleep(50)
  }
  await rm(join(folder, processesFile), { force: true })
}

/** `cmdlinePart` is matched against the command line, because the pid may have been reused. */
async function isRunningAs(pid: number, cmdlinePart: string) {
  if (!isRunning(pid)) return false
  const cmdline = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return cmdline?.includes(cmdlinePart) ?? true
}

/** Secrets of this store, generated at its first start. Only the owner of the folder can read the file. */
export type Secrets = {
  authSigningKey: string
  internalSecret: string
  mailTokenKey: string
  secondFactorKey: string
  /** Ed25519, PKCS#8 PEM: with it the owner of the folder acts as an operator. */
  operatorKey: string
  stripeKey: string
  stripeWebhookSecret: string
  chainSignerKey: string
  chainDeployerKey: string
}

export async function readSecrets(dataDir: DataDir): Promise<Secrets> {
  const file = dataDir.file('secrets.json')
  const existing = await readJson<Secrets>(file)
  if (existing) return existing
  const privateKey = () => `0x${randomBytes(32).toString('hex')}`
  const signingKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const created: Secrets = {
    authSigningKey: signingKey(),
    operatorKey: signingKey(),
    internalSecret: randomBytes(32).toString('base64url'),
    mailTokenKey: randomBytes(32).toString('base64url'),
    secondFactorKey: randomBytes(32).toString('base64url'),
    stripeKey: `sk_test_${randomBytes(24).toString('hex')}`,
    stripeWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    chainSignerKey: privateKey(),
    chainDeployerKey: privateKey(),
  }
  await writeJson(file, created)
  return created
}

/** Operator name that audit logs have for the key of a data directory. */
export const LOCAL_OPERATOR = 'local'

/** `STORE_ID` of this data directory and of its restored copies. */
export const storeIdOf = ({ internalSecret }: Secrets) =>
  createHash('sha256').update(internalSecret).digest('hex').slice(0, 16)

export async function readJson<Content>(file: string): Promise<Content | undefined> {
  if (!existsSync(file)) return undefined
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Atomic: a process that is killed while writing leaves the old file. */
export async function writeJson(file: string, content: unknown) {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
