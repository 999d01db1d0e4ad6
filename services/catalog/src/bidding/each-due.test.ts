import { expect, test } from 'vitest'
import { eachDue } from './each-due.ts'

test('what fails keeps nothing waiting, and is thrown at the end', async () => {
  const done: number[] = []
  const run = eachDue([1, 2, 3, 4], async (one) => {
    if (one < 3) throw new Error(`no ${one}`)
    done.push(one)
  })
  await expect(run).rejects.toMatchObject({
    message: '2 of 4 failed: Error: no 1',
    errors: [{ message: 'no 1' }, { message: 'no 2' }],
  })
  expect(done).toEqual([3, 4])
})
