import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Outside the repository, so that all clones share it. */
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nifty')

/** Installed in a temporary folder and renamed: safe for concurrent runs, and never incomplete. */
export async function fetched(name: string, fetchInto: (folder: string) => Promise<unknown>) {
  const folder = join(cacheFolder, name)
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  const coming = await mkdtemp(`${folder}-`)
  try {
    await fetchInto(coming)
    await rename(coming, folder)
  } catch (error) {
    await rm(coming, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
