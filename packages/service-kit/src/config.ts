import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'

/** Reads the environment once, and names every wrong variable at once. */
export function parseEnv<Schema extends TObject>(schema: Schema, env: NodeJS.ProcessEnv): Static<Schema> {
  const values = Value.Clean(schema, Value.Convert(schema, Value.Default(schema, withoutEmpty(env))))
  const wrong = Value.Errors(schema, values)
  if (wrong.length > 0) {
    const lines = wrong.map(({ instancePath, message }) => `  ${instancePath.slice(1)} ${message}`)
    throw new Error(`Invalid environment:\n${lines.join('\n')}`)
  }
  return Object.freeze(values) as Static<Schema>
}

/** `NAME=` in a manifest means "not set". */
const withoutEmpty = (env: NodeJS.ProcessEnv) => Object.fromEntries(Object.entries(env).filter(([, value]) => value))
