import { programs } from '@nifty/api/services'
import { parseEnv } from '@nifty/service-kit/base/env'
import { Type } from 'typebox'

const Port = (port: number) => Type.Integer({ default: port, minimum: 1, maximum: 65_529 })

const Env = Type.Object({
  /** Of Vite, which a browser opens; the mails are at the next port. */
  WEB_PORT: Port(5173),
  /** Of the first program's inspector; the others follow in the order of `programs`. */
  INSPECT_PORT: Port(9230),
})

/** The ports of `pnpm dev` besides the store's, so that two clones can run beside each other. */
export function readPorts(env: NodeJS.ProcessEnv) {
  const { WEB_PORT, INSPECT_PORT } = parseEnv(Env, env)
  return {
    web: WEB_PORT,
    mails: WEB_PORT + 1,
    inspectorOf: (program: (typeof programs)[number]) => INSPECT_PORT + programs.indexOf(program),
    all: [
      { port: WEB_PORT, variable: 'WEB_PORT' },
      { port: WEB_PORT + 1, variable: 'WEB_PORT' },
      ...programs.map((_, place) => ({ port: INSPECT_PORT + place, variable: 'INSPECT_PORT' })),
    ],
  }
}
