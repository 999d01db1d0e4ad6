import { expect, test } from 'vitest'
import { progressLine } from './progress-line.ts'

const terminal = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, write: (text: unknown) => written.push(String(text)) > 0, written }
}

test('each text replaces the former one on the line', () => {
  const tty = terminal(true)
  const { show, clear } = progressLine(tty)
  show('1 of 2')
  show('2 of 2')
  clear()
  expect(tty.written).toEqual(['\r\u001b[2K1 of 2', '\r\u001b[2K2 of 2', '\r\u001b[2K'])
})

test('a file or a pipe gets nothing', () => {
  const pipe = terminal(false)
  progressLine(pipe).show('1 of 2')
  expect(pipe.written).toEqual([])
})
