import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes, errorCodesPage } from './error-codes.ts'
import { root } from './tree.ts'

test('services/ERRORS.md lists every error code; if not, run pnpm docs:errors', () => {
  expect(readFileSync(join(root, 'services/ERRORS.md'), 'utf8')).toBe(errorCodesPage())
})

test.each([
  ['a direct refusal', 'price_changed', 409, 'services/catalog/src/items/item.ts'],
  ['an error through a function of the same file', 'invalid_profile', 400, 'services/auth/src/profiles/profile.ts'],
  ['an error without arguments', 'unauthenticated', 401, 'packages/service-kit/src/base/errors.ts'],
  ['a bug', 'internal', 500, expect.stringContaining('packages/service-kit/src/http/')],
])('the list has %s', (_what, code, status, file) => {
  expect(errorCodes()).toContainEqual(expect.objectContaining({ code, status, file }))
})
