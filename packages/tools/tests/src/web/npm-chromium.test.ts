import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const folder = await temporaryFolder('test')

/** Unpacks Chromium below the folder, as the first process of a machine does, and starts it. */
const unpackAndStart = `
  const { chromiumPath } = await import('@nifty/testkit/browser')
  const { execFileSync } = await import('node:child_process')
  console.log(execFileSync(await chromiumPath('npm'), ['--version'], { encoding: 'utf8' }))
`

// The package has Chromium for Linux on x64 only.
const supported = process.platform === 'linux' && process.arch === 'x64'

test.runIf(supported)('two processes that unpack Chromium at once start it, and leave one copy', async () => {
  const start = () =>
    run(process.execPath, ['--input-type=module', '--eval', unpackAndStart], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: folder },
    })
  const first = start()
  // The second one starts while the first one writes.
  await expect
    .poll(async () => (await readdir(folder, { recursive: true })).some((file) => /chromium$/.test(file)))
    .toBe(true)
  const versions = await Promise.all([first, start()])
  expect(versions.map(({ stdout }) => stdout.split(' ')[0])).toEqual(['Chromium', 'Chromium'])
  expect((await readdir(folder)).filter((name) => name.startsWith('nifty-chromium-'))).toHaveLength(1)
})
