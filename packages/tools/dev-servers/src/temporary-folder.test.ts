import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const ofFile = await temporaryFolder('file')
const ofTests: string[] = []

test.each(['first', 'second'])('each test has a folder of its own: the %s', async (name) => {
  const folder = await temporaryFolder(name)
  await writeFile(join(folder, 'file'), '')
  expect(ofTests).not.toContain(folder)
  ofTests.push(folder)
})

test('a folder is removed at the end of its test, and one that was made outside of a test is kept', () => {
  expect(ofTests.filter(existsSync)).toEqual([])
  expect(existsSync(ofFile)).toBe(true)
})
