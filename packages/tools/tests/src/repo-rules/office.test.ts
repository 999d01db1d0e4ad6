import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constantNames, endpoints } from '@nifty/api/endpoints/all'
import { expect, test } from 'vitest'
import { root, sources } from './tree.ts'

const ofOffice = sources.filter((file) => file.startsWith('web/src/office/'))
const texts = ofOffice.map((file) => readFileSync(join(root, file), 'utf8'))

const operatorEndpoints = [
  ...new Set(
    Object.values(endpoints)
      .flatMap(({ internal }) => internal)
      .filter(({ access }) => access === 'operator')
      .map((endpoint) => constantNames.get(endpoint)!),
  ),
]

test('every endpoint for operators has a screen of the office', () => {
  expect(operatorEndpoints.length).toBeGreaterThan(40)
  const isShown = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))
  expect(operatorEndpoints.filter((name) => !isShown(name))).toEqual([])
})

test('the office shares the look of the store and the contracts, and nothing else of the store', () => {
  expect(ofOffice.length).toBeGreaterThan(20)
  const imported = texts.flatMap((text) => [...text.matchAll(/from '(\.\.\/\.\.\/[^']+)'/g)].map(([, name]) => name!))
  expect(imported.filter((name) => !name.startsWith('../../ui/'))).toEqual([])
})

test('text of people is never markup in the office, and links lead to its own pages and to the store alone', () => {
  expect(
    ofOffice.filter((_, at) => /dangerouslySetInnerHTML|RichText|href=(?!"#|\{`\$\{publicUrl\}\$)/.test(texts[at]!)),
  ).toEqual([])
})
