import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { defaultOperator } from './operator.ts'

test('the default operator is the system user', () => {
  expect(defaultOperator(() => 'ada')).toBe('ada')
})

test('a user without a name, as in a pod, is identified by user id and host name', () => {
  const nameless = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
  }
  expect(defaultOperator(nameless)).toBe(`user ${process.getuid?.()} on ${hostname()}`)
})
