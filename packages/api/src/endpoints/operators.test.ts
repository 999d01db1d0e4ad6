import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { operatorRoles } from '../endpoint.ts'
import { serviceNames } from '../services.ts'
import { endpoints } from './all.ts'

const named = [...new Set(serviceNames.flatMap((name) => endpoints[name].internal))]
  .filter(({ access }) => access === 'operator')
  .map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))

test('each role has endpoints', () => {
  expect(new Set(named.map(({ endpoint }) => endpoint.role))).toEqual(new Set(operatorRoles))
})

test.each(named)('$name has a role, and says whether it is confirmed by itself', ({ endpoint }) => {
  expect(operatorRoles).toContain(endpoint.role)
  expect(['always', 'never']).toContain(endpoint.confirm)
})

test.each(named.filter(({ endpoint }) => endpoint.confirm === 'always'))(
  '$name, which is always confirmed, is refused without a reason',
  ({ endpoint }) => {
    const errors = Compile(endpoint.body!).Errors({})
    expect(errors.flatMap(({ params }: any) => params.requiredProperties ?? [])).toContain('reason')
  },
)
