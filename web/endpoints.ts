import { pathToFileURL } from 'node:url'
import { isEndpoint } from '@nifty/api/endpoint'
import type { Plugin } from 'vite'

/**
 * Loads a module of the contracts that has endpoints as these only, each with method, path, access, step-up and
 * caching. The compiler reads the types from the contract, and no page loads the schema library: the build refuses to
 * import anything else of such a module. Vite has to be restarted after a changed contract.
 */
export function endpoints(): Plugin {
  return {
    name: 'nifty:endpoints',
    load: {
      filter: { id: /[\\/]packages[\\/]api[\\/]src[\\/].*\.ts$/ },
      async handler(id) {
        const code = await endpointsOf(id)
        return code === undefined ? undefined : { code, moduleType: 'js' }
      },
    },
  }
}

/** The code of a module that exports the endpoints of another one; undefined when that has none. */
export async function endpointsOf(file: string): Promise<string | undefined> {
  const exports: Record<string, unknown> = await import(pathToFileURL(file).href)
  const constants = Object.entries(exports).flatMap(([name, value]) => {
    if (!isEndpoint(value)) return []
    const { method, path, access, stepUp, cached } = value
    return [`export const ${name} = ${JSON.stringify({ method, path, access, stepUp, cached })}`]
  })
  return constants.length > 0 ? constants.join('\n') : undefined
}
