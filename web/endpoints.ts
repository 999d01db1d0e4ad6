import { isEndpoint } from '@nifty/api/endpoint'
import type { Plugin } from 'vite'

const contractImport = /^import \{([^}]*)\} from '(@nifty\/api\/(?:gateway|[\w-]+\/[\w-]+))'$/gm

/**
 * Replaces the import of an endpoint by its method, path, access, step-up and caching: `const getOrder = { method, path, access }`.
 * The compiler reads the types from the contract, and no page loads the schema library. Vite has to be restarted after a changed contract.
 */
export function endpoints(): Plugin {
  return {
    name: 'nifty:endpoints',
    enforce: 'pre',
    async transform(code, id) {
      const inlined = await inlineEndpoints(code, id)
      return inlined === undefined ? undefined : { code: inlined, map: null }
    },
  }
}

/** Undefined when `code` imports no contract. Throws when it imports a schema or another value that is no endpoint. */
export async function inlineEndpoints(code: string, file: string): Promise<string | undefined> {
  const imports = [...code.matchAll(contractImport)]
  if (imports.length === 0) return undefined
  let inlined = code
  for (const [statement, names, contract] of imports) {
    const exports = (await import(contract!)) as Record<string, unknown>
    inlined = inlined.replace(statement, () => declarationsOf(names!, exports, `${contract} in ${file}`))
  }
  return inlined
}

/** `getOrder, cancelOrder as cancelEndpoint, type Order` as constants on one line. */
function declarationsOf(names: string, exports: Record<string, unknown>, where: string) {
  const specifiers = names.split(',').map((name) => name.trim())
  const values = specifiers.filter((name) => name && !name.startsWith('type '))
  return values
    .map((specifier) => {
      const [name, alias = name] = specifier.split(/\s+as\s+/)
      const value = exports[name!]
      if (!isEndpoint(value)) throw new Error(`${name} of ${where} is no endpoint: import its type only`)
      const { method, path, access, stepUp, cached } = value
      return `const ${alias} = ${JSON.stringify({ method, path, access, stepUp, cached })};`
    })
    .join(' ')
}
