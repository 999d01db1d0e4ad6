import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const ofPnpm = ['install', 'add', 'exec', '--filter']

test.each(files.filter((file) => file.endsWith('.md')))('%s tells the truth', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g))
    expect(existsSync(join(root, dirname(file), link)), `link ${link}`).toBe(true)
  for (const [, script = ''] of text.matchAll(/\bpnpm (--filter|[a-z][a-z:-]*)/g))
    expect([...Object.keys(scripts), ...ofPnpm], `command pnpm ${script}`).toContain(script)
})

test('every command of the README starts a file that exists', () => {
  for (const [, file = ''] of Object.values(scripts)
    .join(' ')
    .matchAll(/\b((?:deploy|packages|web)\/[\w./-]+\.(?:ts|json))/g))
    expect(existsSync(join(root, file)), file).toBe(true)
})
