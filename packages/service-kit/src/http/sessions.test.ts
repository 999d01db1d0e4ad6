import { expect, onTestFinished, test } from 'vitest'
import { testLog } from '../testing/log.ts'
import { watchSessions } from './sessions.ts'

type Answer = { endedSessions: string[]; cursor?: string }

/** Auth that answers readings in turn, all further ones like the last. */
async function watch(...answers: Answer[]) {
  const asked: (string | undefined)[] = []
  const read = async (since?: string) => {
    asked.push(since)
    return { keys: [], ...(answers.length > 1 ? answers.shift()! : answers[0]!) }
  }
  const sessions = await watchSessions({ read, log: testLog })
  onTestFinished(sessions.stop)
  return { sessions, asked }
}

test('after the first reading only what ended since the last one is read, and all of it is kept', async () => {
  const { sessions, asked } = await watch(
    { endedSessions: ['a'], cursor: '7' },
    { endedSessions: ['b'], cursor: '9' },
    { endedSessions: [], cursor: '9' },
  )
  await sessions.refresh()
  await sessions.refresh()
  expect(asked.slice(0, 3)).toEqual([undefined, '7', '9'])
  expect(['a', 'b', 'c'].map(sessions.hasEnded)).toEqual([true, true, false])
})

test('a list without a cursor is complete', async () => {
  const { sessions, asked } = await watch({ endedSessions: ['a'] }, { endedSessions: ['b'] })
  await sessions.refresh()
  expect(asked.slice(0, 2)).toEqual([undefined, undefined])
  expect(['a', 'b'].map(sessions.hasEnded)).toEqual([false, true])
})

test('requests for a reading while one runs are answered by the one that follows it', async () => {
  const { sessions, asked } = await watch({ endedSessions: [], cursor: '1' })
  const before = asked.length
  await Promise.all([sessions.refresh(), sessions.refresh(), sessions.refresh()])
  expect(asked.length - before).toBeLessThan(3)
})
