import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const FIRST_INSPECTOR_PORT = 9230

test('the editor attaches to each program at the inspector port that pnpm dev opens', () => {
  const { configurations }: { configurations: { name: string; request: string; port?: number }[] } = JSON.parse(
    readFileSync(join(root, '.vscode/launch.json'), 'utf8'),
  )
  const ports = configurations.filter(({ request }) => request === 'attach').map(({ name, port }) => [name, port])
  expect(ports).toEqual(programs.map((name, place) => [`Attach: ${name}`, FIRST_INSPECTOR_PORT + place]))
})
