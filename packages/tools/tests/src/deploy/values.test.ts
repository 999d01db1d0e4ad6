import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { chart } from './chart.ts'
import { valueRows, withValuesTable } from './values-table.ts'

/** Dotted paths of all leaves of values.yaml; lists, empty maps and `network.*` peers are leaves. */
const leaves = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => leaves(each, path ? `${path}.${name}` : name))
    : [path]

test('every value of the chart has a description and a row in the table', () => {
  const rows = valueRows()
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))
  const described = rows.map(({ parameter }) => parameter.replace('<name>', 'auth'))
  const paths = leaves({ ...values, services: { auth: values.services.auth } }, '')

  expect(rows.filter(({ description }) => !description)).toEqual([])
  expect(paths.length).toBeGreaterThan(90)
  expect(paths.filter((path) => !described.some((each) => path === each || path.startsWith(`${each}.`)))).toEqual([])
})

test("the README's table of values is up to date", () => {
  const readme = readFileSync(join(chart, 'README.md'), 'utf8')
  expect(readme, 'run `node packages/tools/tests/src/deploy/values-table.ts`').toBe(withValuesTable(readme))
})
