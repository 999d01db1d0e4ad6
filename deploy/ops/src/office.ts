import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from './command.ts'
import { operatorOf, publicUrlOf, UsageError } from './store.ts'

const inImage = join(import.meta.dirname, '../../../web/dist-office')

/** Outside of an image the pages are built when their sources have changed. */
async function webRoot(): Promise<string> {
  try {
    const { builtOffice } = await import('@nifty/local/front-end/front-end')
    return await builtOffice()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' || !existsSync(inImage)) throw error
    return inImage
  }
}

export const officeCommand: Command = {
  usage: '[port]',
  about: 'serves the office, pages for a browser on this machine, until Ctrl-C; prints its address, which opens once',
  run: async (store, [port = '0']) => {
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`${port} is not a port`)
    const { startOffice } = await import('@nifty/office/office')
    const [operator, publicUrl] = [operatorOf(process.env), publicUrlOf(process.env)]
    const office = await startOffice({ port: Number(port), store: { operator, publicUrl, clients: store }, webRoot })
    process.stdout.write(`Office  ${office.address}\n`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await office.stop()
    return 'Stopped.'
  },
}
