import { isDeepStrictEqual } from 'node:util'

/** What the snapshot keeps of an event. The schema is JSON Schema. */
export type Recorded = { key: string; data: JsonSchema }
export type JsonSchema = { type?: string; properties?: Record<string, JsonSchema>; required?: string[] }

/**
 * How a schema differs from the recorded one in a way that a service of the former release does not understand. Only
 * optional fields may be added, at any depth of objects; everything else has to stay as it is.
 */
export function incompatibilities(recorded: JsonSchema, present: JsonSchema, path = ''): string[] {
  if (recorded.type !== 'object' || present.type !== 'object')
    return isDeepStrictEqual(recorded, present) ? [] : [`${path || 'the data'} has another schema`]
  const at = (field: string) => (path ? `${path}.${field}` : field)
  const before = recorded.properties ?? {}
  const now = present.properties ?? {}
  const wasRequired = new Set(recorded.required)
  const isRequired = new Set(present.required)
  return [
    ...Object.entries(before).flatMap(([field, schema]) => {
      const found = now[field]
      if (!found) return [`${at(field)} was removed or renamed`]
      if (wasRequired.has(field) && !isRequired.has(field)) return [`${at(field)} was required and is optional now`]
      if (!wasRequired.has(field) && isRequired.has(field)) return [`${at(field)} was optional and is required now`]
      return incompatibilities(schema, found, at(field))
    }),
    ...Object.keys(now).flatMap((field) =>
      !before[field] && isRequired.has(field) ? [`${at(field)} is new and required`] : [],
    ),
  ]
}
