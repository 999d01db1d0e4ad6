import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunkFolders, modulesOf } from './chunks.ts'

const root = join(import.meta.dirname, '..')
const modules = globSync(['web/src/**/*.{ts,tsx,css}', 'packages/api/src/**/*.ts'], { cwd: root })
const folders = Object.entries(chunkFolders).flatMap(([chunk, named]) => named.map((folder) => ({ chunk, folder })))

test('a chunk is made of folders, and each of them has modules', () => {
  const has = (folder: string) => modules.some((file) => modulesOf(folder).test(`/${file}`))
  const named = folders.map(({ folder }) => folder)
  expect(named.filter((folder) => !has(folder))).toEqual([])
})

test('a module is in one chunk at most', () => {
  for (const file of modules) {
    const chunks = folders.filter(({ folder }) => modulesOf(folder).test(`/${file}`)).map(({ chunk }) => chunk)
    expect(chunks.length, `${file}: ${chunks}`).toBeLessThan(2)
  }
})

test('a folder stands for its own modules only', () => {
  expect(modulesOf('web/src/ui').test('/store/web/src/ui/button.tsx')).toBe(true)
  expect(modulesOf('web/src/ui').test('/store/web/src/ui/forms/field.tsx')).toBe(false)
  expect(modulesOf('web/src/ui').test('/store/web/src/my-ui/button.tsx')).toBe(false)
})
