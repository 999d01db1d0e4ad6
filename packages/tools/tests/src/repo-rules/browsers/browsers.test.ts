import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { expect, test } from 'vitest'
import { root } from '../tree.ts'
import { allowed } from './allowed.ts'
import { lackingIn } from './promised.ts'
import { scriptFeatures, type Use } from './script-features.ts'
import { styleFeatures } from './style-features.ts'

/** The front end and what it imports of the contracts, without tests. */
const isShipped = (file: string) =>
  /\/(web|packages\/api)\/src\//.test(file) && !/node_modules|\.test\.tsx?$|\.d\.ts$/.test(file)

const nameIn = (file: string) => relative(root, file)
const ofScripts = scriptFeatures(join(root, 'web/tsconfig.json'), isShipped)
const ofStyles = globSync(join(root, 'web/src/**/*.css')).flatMap((file) =>
  styleFeatures(readFileSync(file, 'utf8')).map((use) => ({ ...use, file })),
)
const uses = [...ofScripts, ...ofStyles]

const isNewer = ({ feature }: Pick<Use, 'feature'>) => !feature || lackingIn(feature).length > 0
const isAllowed = ({ name, file }: Use) =>
  allowed.some((each) => each.use === name && (each.in ?? nameIn(file)) === nameIn(file))
const problems = (of: Use[]) =>
  of.flatMap(({ name, feature, file }) => {
    const lacking = feature ? lackingIn(feature) : ['unknown to the compatibility data']
    return lacking.length > 0 ? [`${name}: ${lacking.join(', ')} in ${nameIn(file)}`] : []
  })

test('what scripts and styles use is in every promised browser, or has a reason why pages work without it', () => {
  expect(problems(uses.filter((use) => !isAllowed(use)))).toEqual([])
})

test('every reason is needed', () => {
  const lacking = uses.filter(isNewer)
  const unneeded = allowed.filter(
    (each) => !lacking.some(({ name, file }) => name === each.use && (each.in ?? nameIn(file)) === nameIn(file)),
  )
  expect(unneeded).toEqual([])
})

const newer = [
  ['URL.parse("/x")', 'URL.parse'],
  ['URL.canParse("/x")', 'URL.canParse'],
  ['Array.fromAsync([])', 'Array.fromAsync'],
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['Object.groupBy([1], String)', 'Object.groupBy'],
  ['new Set([1]).union(new Set())', 'Set.union'],
  ['[2, 1].toSorted()', 'Array.toSorted'],
  ['([2, 1] as const).toSorted()', 'Array.toSorted'],
  ['const sort = (list: readonly number[] | undefined) => list?.toSorted()', 'Array.toSorted'],
  ['[1].values().map(String)', 'Iterator.map'],
  ['new URLSearchParams().size', 'URLSearchParams.size'],
  ['const { size } = new URLSearchParams()', 'URLSearchParams.size'],
  ['const sizeOf = (query: Pick<URLSearchParams, "size">) => query.size', 'URLSearchParams.size'],
  ['"a".isWellFormed()', 'String.isWellFormed'],
  ['document.startViewTransition(() => {})', 'Document.startViewTransition'],
  ['document.body.showPopover()', 'HTMLElement.showPopover'],
  ['document.addEventListener("scrollend", () => {})', 'Document.scrollend_event'],
  ['const box = <div popover="auto" />', '<div popover>'],
] as const
const old = [
  'structuredClone([1].at(0))',
  'document.querySelector("a")?.replaceChildren()',
  'new Intl.ListFormat("en")',
  'type Later = CloseWatcher; const later = undefined as unknown as CloseWatcher',
]
/** The names of newer features in each of these scripts. */
const found = newerIn([...newer.map(([script]) => script), ...old])

function newerIn(scripts: string[]): string[][] {
  const paths = scripts.map((_, index) => `/store/${index}.tsx`)
  const files = createVirtualFileSystem({
    '/store/tsconfig.json': '{ "compilerOptions": { "lib": ["esnext", "dom"], "jsx": "preserve" } }',
    ...Object.fromEntries(scripts.map((script, index) => [paths[index], `${script}; export {}`])),
  })
  const newerUses = scriptFeatures('/store/tsconfig.json', (file) => paths.includes(file), files).filter(isNewer)
  return paths.map((path) => newerUses.filter(({ file }) => file === path).map(({ name }) => name))
}

test.each(newer.map(([script, name], index) => [script, name, found[index]] as const))(
  '%s is found',
  (_script, name, names) => expect(names).toContain(name),
)

test('what all promised browsers have is not reported, nor what is only a type', () => {
  expect(found.slice(newer.length).flat()).toEqual([])
})

test.each([
  ['p { field-sizing: content }', 'field-sizing'],
  ['p { width: calc-size(auto, size) }', 'calc-size()'],
  ['p { color: light-dark(#000, #fff) }', 'light-dark()'],
  ['ul:has(li) { color: red }', ':has'],
  ['a { & b { color: red } }', '&'],
  ['@scope (main) { p { color: red } }', '@scope'],
  ['p { display: grid; grid-template-rows: subgrid }', 'grid-template-rows: subgrid'],
])('%s is found', (sheet, name) => {
  const names = styleFeatures(sheet).filter(isNewer)
  expect(names.map((use) => use.name)).toContain(name)
})
