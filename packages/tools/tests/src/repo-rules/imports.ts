import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, sources } from './tree.ts'

export type Import = { from: string; to: string }

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`, with what stands between. */
const statements =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'"`;]*?)(?:\bfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g

const isTypeOnly = (type: string | undefined, bindings: string) =>
  Boolean(type) ||
  // `import { type A, type B }`: every binding is a type.
  (/^\{[^}]*\}\s*$/.test(bindings) &&
    bindings
      .replace(/[{}]/g, '')
      .split(',')
      .filter((each) => each.trim())
      .every((each) => /^\s*type\s/.test(each)))

/** The modules that a file imports values from, as it names them. */
export function valueImportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(statements)].flatMap(([, type, bindings = '', name, dynamic]) => {
    if (dynamic) return [dynamic]
    return isTypeOnly(type, bindings) ? [] : [name!]
  })
}

/** Relative imports of values between files of the repository; tests and test code are left out. */
export function valueImports(): Import[] {
  const code = sources.filter((file) => !/\.test\.tsx?$|(^|\/)testing(\/|\.ts$)/.test(file))
  return code.flatMap((from) =>
    valueImportsOf(from)
      .filter((name) => name.startsWith('.'))
      .map((name) => ({ from, to: join(dirname(from), name) }))
      .filter(({ to }) => /\.tsx?$/.test(to) && existsSync(join(root, to))),
  )
}

export type FolderPair = { folders: [string, string]; there: Import; back: Import }

/** Pairs of folders that import values from each other, with an import of each direction; a folder and its parent count. */
export function folderPairs(imports = valueImports()): FolderPair[] {
  const first = new Map<string, Import>()
  for (const each of imports) {
    const [a, b] = [dirname(each.from), dirname(each.to)]
    if (a !== b && !first.has(`${a} ${b}`)) first.set(`${a} ${b}`, each)
  }
  return [...first].flatMap(([key, there]) => {
    const [a, b] = key.split(' ') as [string, string]
    const back = first.get(`${b} ${a}`)
    return back && a < b ? [{ folders: [a, b], there, back }] : []
  })
}
