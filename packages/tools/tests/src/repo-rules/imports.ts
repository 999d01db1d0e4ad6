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

/** The modules that a file imports, as it names them. */
function importsOf(file: string, { types }: { types: boolean }): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(statements)].flatMap(([, type, bindings = '', name, dynamic]) => {
    if (dynamic) return [dynamic]
    return !types && isTypeOnly(type, bindings) ? [] : [name!]
  })
}

/** The modules that a file imports values from, as it names them. */
export const valueImportsOf = (file: string) => importsOf(file, { types: false })

const relativeImports = (from: string, { types }: { types: boolean }): Import[] =>
  importsOf(from, { types })
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ from, to: join(dirname(from), name) }))
    .filter(({ to }) => /\.tsx?$/.test(to) && existsSync(join(root, to)))

/** Relative imports of values between files of the repository; tests and test code are left out. */
export const valueImports = (): Import[] =>
  sources
    .filter((file) => !/\.test\.tsx?$|(^|\/)testing(\/|\.ts$)/.test(file))
    .flatMap((from) => relativeImports(from, { types: false }))

/** Relative imports between all files of the repository, those of types and of tests included. */
export const allImports = (): Import[] => sources.flatMap((from) => relativeImports(from, { types: true }))

/** Groups of files that import each other, directly or by way of others (Tarjan's strongly connected components). */
export function fileCircles(imports = allImports()): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from)
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  function visit(file: string) {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    open.push(file)
    for (const { to } of next.get(file) ?? []) {
      if (!order.has(to)) visit(to)
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || next.get(file)?.some(({ to }) => to === file)) circles.push(group.sort())
  }
  for (const { from } of imports) if (!order.has(from)) visit(from)
  return circles
}

export type FolderPair = { folders: [string, string]; there: Import; back: Import }

/**
 * Pairs of folders that import values from each other, with an import of each direction; a folder and its parent count.
 */
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
