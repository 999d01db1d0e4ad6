import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { files, root } from './tree.ts'

type Manifest = {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Every package of the workspace, and the packages that each one lists, without types: of the workspace and of others.
 */
export const packages = files
  .filter((file) => file.endsWith('/package.json'))
  .map((file) => {
    const { name, dependencies, devDependencies }: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'))
    const listed = Object.keys({ ...dependencies, ...devDependencies })
    return {
      name,
      folder: dirname(file),
      dependencies: listed.filter((each) => each.startsWith('@nifty/')),
      thirdParty: listed.filter((each) => !/^@(nifty|types)\//.test(each)),
    }
  })

/** Packages that depend on themselves by way of others, as "a > b > a"; each cycle once for every package in it. */
export function packageCycles(of: Omit<(typeof packages)[number], 'thirdParty'>[] = packages): string[] {
  const dependenciesOf = new Map(of.map(({ name, dependencies }) => [name, dependencies]))
  const wayBack = (start: string, path: string[], seen: Set<string>): string[] | undefined => {
    for (const next of dependenciesOf.get(path.at(-1)!) ?? []) {
      if (next === start) return [...path, start]
      if (seen.has(next)) continue
      seen.add(next)
      const found = wayBack(start, [...path, next], seen)
      if (found) return found
    }
    return undefined
  }
  return of.flatMap(({ name }) => wayBack(name, [name], new Set())?.join(' > ') ?? [])
}
