import { reloadPage } from '../api/mailed-token.ts'

/** Components whose code failed to load, to be made anew before the next try. */
const failed = new Set<() => void>()

/** Registers what the next `retryFailedCode` runs. */
export const onRetry = (renew: () => void) => failed.add(renew)

/** Lets components whose code failed to load try again. */
export function retryFailedCode() {
  for (const renew of failed) renew()
  failed.clear()
}

/**
 * Imports code. If its file is missing although the server responds, the tab is older than the server and is reloaded.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    // Never resolves: the page stays as it is until the new document replaces it.
    if (await reloadsForNewVersion()) await new Promise(() => {})
    throw error
  }
}

let reloading: Promise<boolean> | undefined

/** Several files may be missing at the same time: they share one reload. */
function reloadsForNewVersion() {
  reloading ??= reloadOnce().finally(() => {
    reloading = undefined
  })
  return reloading
}

/** Once per entry of the history, so that a file that stays missing does not reload forever. */
async function reloadOnce() {
  if (history.state?.reloaded) return false
  const server = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (!server?.ok) return false
  history.replaceState({ ...history.state, reloaded: true }, '')
  reloadPage()
  return true
}
