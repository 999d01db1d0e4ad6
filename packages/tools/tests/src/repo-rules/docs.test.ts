import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const ofPnpm = ['audit', 'sbom', 'install', 'add', 'exec', '--filter']

/** Anchors of a document's headings, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = shown
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    // A repeated heading gets a number.
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

test('GitHub makes the anchors of headings in lower case, with hyphens and without punctuation', () => {
  const text =
    '# `nifty-ops`: what *it* does\n```sh\n# a comment\n```\n## The [list](a.md), of_all\n## Trace\n### Trace\n'
  expect([...anchorsOf(text)]).toEqual(['nifty-ops-what-it-does', 'the-list-of_all', 'trace', 'trace-1'])
})

/** Texts for visitors link to pages of the store: `packages/content` checks them. */
const isForVisitors = (file: string) => file.startsWith('packages/content/texts/')

test.each(files.filter((file) => file.endsWith('.md') && !isForVisitors(file)))(
  '%s has valid links and commands',
  (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?/g)) {
      const target = path ? join(dirname(file), path) : file
      expect(existsSync(join(root, target)), `link ${path}`).toBe(true)
      if (anchor !== undefined && target.endsWith('.md'))
        expect([...anchorsOf(readFileSync(join(root, target), 'utf8'))], `anchor of ${target}`).toContain(anchor)
    }
    for (const [, script = ''] of text.matchAll(/\bpnpm (--filter|[a-z][a-z:-]*)/g))
      expect([...Object.keys(scripts), ...ofPnpm], `command pnpm ${script}`).toContain(script)
  },
)

/** Folders and files of this repository, each also by every end of its path: `a/src/b.ts`, `src/b.ts`, `b.ts`. */
const ends = new Set(
  files.flatMap((file) => {
    const parts = file.split('/')
    return parts.flatMap((_, from) => parts.slice(from).map((_, to) => parts.slice(from, from + to + 1).join('/')))
  }),
)
// Files that a run or an operator makes, and a label of Kubernetes.
const elsewhere = /^(logs|postgres|uploads|processor|dist)\/$|\.log$|^store\.yaml$|^kubernetes\.io\//

/** What a text has in backticks and looks like a path: no route, package of npm, command, glob or placeholder. */
const pathsIn = (markdown: string) =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([\w.][\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => /\/|\.(tsx?|md|sql|ya?ml)$/.test(path) && !path.startsWith('.nifty') && !elsewhere.test(path))

/** A path under `src` or `..` belongs to the document's own folder; of others the beginning may be left out. */
function isPath(path: string, folder: string): boolean {
  if ([folder, join(folder, 'src'), '.'].some((from) => existsSync(join(root, from, path)))) return true
  const own = path.startsWith('../') || (path.startsWith('src/') && existsSync(join(root, folder, 'src')))
  return !own && ends.has(path.replace(/\/$/, ''))
}

// Changes and old decisions name what was there; results are dated.
const ofToday = (file: string) => !/(^|\/)results\/|^CHANGELOG|\/decisions\/0[01]\d-/.test(file)

test.each(files.filter((file) => file.endsWith('.md') && ofToday(file)))('every path in %s exists', (file) => {
  const paths = pathsIn(readFileSync(join(root, file), 'utf8'))

  expect(paths.filter((path) => !isPath(path, dirname(file)))).toEqual([])
})

test('every command of the README starts a file that exists', () => {
  for (const [, file = ''] of Object.values(scripts)
    .join(' ')
    .matchAll(/\b((?:deploy|packages|web)\/[\w./-]+\.(?:ts|json))/g))
    expect(existsSync(join(root, file)), file).toBe(true)
})
