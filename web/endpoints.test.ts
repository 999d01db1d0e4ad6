import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpointsOf } from './endpoints.ts'

const contract = (name: string) => join(import.meta.dirname, '../packages/api/src', name)

test('a contract becomes its endpoints, each with method, path and access', async () => {
  const lines = (await endpointsOf(contract('payments/public.ts')))!.split('\n')
  expect(lines).toContain('export const getOrder = {"method":"GET","path":"/api/orders/:id","access":"account"}')
  expect(lines).toContain(
    'export const cancelOrder = {"method":"POST","path":"/api/orders/:id/cancel","access":"account"}',
  )
  expect(lines.filter((line) => !/^export const \w+ = \{"method":/.test(line))).toEqual([])
})

test('what decides whether a request has the token stays with an endpoint', async () => {
  expect(await endpointsOf(contract('catalog/public.ts'))).toMatch(/getNft = .*"access":"public","cached":true\}/)
})

test('a module without endpoints is loaded as it is', async () => {
  expect(await endpointsOf(contract('pages.ts'))).toBeUndefined()
})

test('the front end imports nothing but endpoints and types of a module that has endpoints', async () => {
  const refused: string[] = []
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname })) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    for (const [, names, module] of text.matchAll(/^import \{([^}]*)\} from '@nifty\/api\/([^']+)'/gm)) {
      const exported = (await endpointsOf(contract(`${module}.ts`)))?.matchAll(/^export const (\w+)/gm)
      if (!exported) continue
      const known = Array.from(exported, ([, name]) => name)
      const values = names!.split(',').map((name) => name.trim())
      for (const name of values) {
        const [imported] = name.split(' as ')
        if (name !== '' && !name.startsWith('type ') && !known.includes(imported!)) refused.push(`${file}: ${name}`)
      }
    }
  }
  expect(refused).toEqual([])
})
