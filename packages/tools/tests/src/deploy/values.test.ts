import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { valueRows, valuesFile, withDescriptions } from './values-comments.ts'

const yaml = readFileSync(valuesFile, 'utf8')

/** Dotted paths of all leaves of values.yaml; lists, empty maps and `network.*` peers are leaves. */
const leaves = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => leaves(each, path ? `${path}.${name}` : name))
    : [path]

test('every value of the chart has a description in the schema', () => {
  const rows = valueRows()
  const values = parse(yaml)
  const described = rows.map(({ parameter }) => parameter.replace('<name>', 'auth'))
  const paths = leaves({ ...values, services: { auth: values.services.auth } }, '')

  expect(rows.filter(({ description }) => !description)).toEqual([])
  expect(paths.length).toBeGreaterThan(90)
  expect(paths.filter((path) => !described.some((each) => path === each || path.startsWith(`${each}.`)))).toEqual([])
})

test('values.yaml has the description of each value above it', () => {
  expect(yaml, 'run `pnpm docs:values`').toBe(withDescriptions(yaml))
})
