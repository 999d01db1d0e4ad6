import { join, relative } from 'node:path'
import { watch } from 'chokidar'

const root = join(import.meta.dirname, '../../../..')
/** What every process loads. */
const shared = ['packages/api/src', 'packages/events/src', 'packages/service-kit']
/** Packages that some programs load. */
const ofSome: Record<string, string[]> = {
  'web/site': ['gateway'],
  'packages/contracts': ['auth', 'minting'],
  'packages/content': ['gateway', 'payments'],
}
const folders = ['services', 'gateway', ...shared, ...Object.keys(ofSome)]
/** Editors write a file in several steps, and a rename touches many files. */
const SETTLE_MS = 150

/** The programs that run a file: one service, the gateway, or all for code that they share. */
export function changedPrograms<Name extends string>(file: string, all: readonly Name[]): Name[] {
  if (
    !/\.(ts|sql|html)$|^packages\/content\/texts\/.+\.md$/.test(file) ||
    /\.test\.ts$|(^|\/)(testing|preview|node_modules)\//.test(file)
  )
    return []
  if (shared.some((folder) => file.startsWith(`${folder}/`))) return [...all]
  const some = Object.keys(ofSome).find((folder) => file.startsWith(`${folder}/`))
  if (some) return all.filter((name) => ofSome[some]!.includes(name))
  return all.filter((name) => file.startsWith(`services/${name}/`) || file.startsWith(`${name}/`))
}

/** Not watched: many files. */
const isIgnored = (path: string) => /[\\/]node_modules([\\/]|$)/.test(path)

/** Calls `onChange` with the files that changed together, by their paths from the root of the repository. */
export function watchSources(onChange: (files: string[]) => void, base = root) {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    const files = [...changed]
    changed.clear()
    onChange(files)
  }
  const paths = folders.map((folder) => join(base, folder))
  const watcher = watch(paths, { ignoreInitial: true, ignored: isIgnored }).on('all', (_event, path) => {
    changed.add(relative(base, path))
    clearTimeout(timer)
    timer = setTimeout(flush, SETTLE_MS)
  })
  return {
    /** Resolves when all files are watched. */
    ready: new Promise<void>((resolve) => watcher.once('ready', resolve)),
    stop: async () => {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}
