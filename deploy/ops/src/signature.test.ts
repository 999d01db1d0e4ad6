import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { whoIsHere } from './signature.ts'

test('whoever has a name on this machine signs with it', () => {
  expect(whoIsHere(() => 'ada')).toBe('ada')
})

test('a user without a name, as in a pod, signs with its number and the pod', () => {
  const nameless = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
  }
  expect(whoIsHere(nameless)).toBe(`user ${process.getuid?.()} on ${hostname()}`)
})
