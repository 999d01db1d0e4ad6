import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { stopProcess } from '@nifty/dev-servers/stop-process'

const root = join(import.meta.dirname, '../../../..')
const program = join(root, 'services/notification/src/preview/preview.main.ts')
const pictures = join(root, 'packages/tools/demo-data/pictures/works')

/** Whether a changed file may change a mail. */
export const changesMails = (file: string) => /^services\/notification\/src\/.*\.(ts|mjml)$/.test(file)

/** The preview of all mails on a port of its own. After a failed start the next change starts it again. */
export function startMailPreview(port: number, env: NodeJS.ProcessEnv) {
  const start = () => {
    const child = spawn(process.execPath, [program, String(port), pictures], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    endWithParent(child, 'SIGTERM')
    return child
  }
  let child = start()
  let restarting = Promise.resolve()
  const restart = () => {
    restarting = restarting.then(async () => {
      await stopProcess(child)
      child = start()
    })
  }
  return {
    restart,
    stop: async () => {
      await restarting
      await stopProcess(child)
    },
  }
}
