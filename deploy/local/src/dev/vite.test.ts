import { freePort } from '@nifty/dev-servers/free-port'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startVite } from './vite.ts'

test('Vite is ready when it serves files, and not when its port is another program’s', async () => {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => output.mockRestore())
  const port = await freePort()
  const vite = startVite({ port, storeUrl: 'http://localhost:9' })
  onTestFinished(vite.stop)
  await vite.ready
  expect((await fetch(`http://localhost:${port}/@vite/client`)).status).toBe(200)

  const second = startVite({ port, storeUrl: 'http://localhost:9' })
  onTestFinished(second.stop)
  await expect(second.ready).rejects.toThrow('Vite ended with code 1.')
})
