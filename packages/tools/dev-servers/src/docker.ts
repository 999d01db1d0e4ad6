import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ServerProcess } from './server-process.ts'

/** Whether a Docker engine is reachable. */
export const hasDocker = () =>
  promisify(execFile)('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  )

/** A server in a container. Its port on this machine stays the same when it is stopped and started again. */
export async function startContainer({
  image,
  containerPort,
  port,
  environment = {},
}: {
  image: string
  /** The port on which it listens in the container. */
  containerPort: number
  port: number
  environment?: Record<string, string>
}): Promise<ServerProcess> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    .withExposedPorts({ container: containerPort, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start()
  return {
    halt: async (signal) => {
      await container.stop({ remove: false, timeout: signal === 'SIGKILL' ? 0 : 10_000 })
    },
    resume: () => container.restart(),
  }
}
