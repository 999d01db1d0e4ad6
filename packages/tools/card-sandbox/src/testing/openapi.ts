import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import type { Raw } from '../api/form.ts'

const source = 'github.com/stripe/stripe-mock@v0.203.0'
/** The API version of the published description. */
export const describedVersion = '2026-08-26.dahlia'

type Schema = Record<string, any>
type Spec = { components: { schemas: Schema }; paths: Schema }

/** Fields that the official client's types require (its API version is newer) and the published description lacks. */
const newerFields: Record<string, string[]> = {
  'checkout.session': ['allowed_payment_method_types'],
  dispute: ['intended_submission_method'],
  dispute_evidence_details: ['submission_method'],
  charge: ['source'],
  payment_intent: ['payment_record', 'source'],
  payment_method_details_card: ['electronic_commerce_indicator'],
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts OpenAPI 3.0 to JSON Schema. `isClosed` refuses fields that are not described. */
function toJsonSchema(value: unknown, isClosed: boolean): any {
  if (Array.isArray(value)) return value.map((each) => toJsonSchema(each, isClosed))
  if (!isObject(value)) return value
  const { nullable, format: _format, discriminator: _discriminator, ...rest } = value
  const schema: Schema = {}
  for (const [name, each] of Object.entries(rest)) {
    if (name.startsWith('x-')) continue
    schema[name] =
      name === '$ref'
        ? each.replace('#/components/schemas/', '#/definitions/')
        : name === 'properties'
          ? Object.fromEntries(Object.entries(each).map(([key, below]) => [key, toJsonSchema(below, isClosed)]))
          : toJsonSchema(each, isClosed)
  }
  if (isClosed && schema.properties && schema.additionalProperties === undefined) schema.additionalProperties = false
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** Reads the published OpenAPI description from Go's module cache; undefined without Go or a network. */
async function readSpec(): Promise<Spec | undefined> {
  try {
    const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', source], { timeout: 120_000 })
    return JSON.parse(await readFile(join(JSON.parse(stdout).Dir, 'embedded/openapi/spec3.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function definitionsOf({ components }: Spec) {
  const definitions = toJsonSchema({ properties: components.schemas }, true).properties
  for (const [name, fields] of Object.entries(newerFields)) {
    for (const field of fields) definitions[name].properties[field] = {}
  }
  return definitions
}

/** A decoded form with its lists as arrays. */
function asJson(raw: Raw): unknown {
  if (typeof raw === 'string') return raw
  const names = Object.keys(raw)
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return names.map((name) => asJson(raw[name]!))
  return Object.fromEntries(names.map((name) => [name, asJson(raw[name]!)]))
}

type Check = ReturnType<Ajv['compile']>

function violations(check: Check, value: unknown): string[] {
  if (check(value)) return []
  return check.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Checks against the published OpenAPI description. Each returns the violations. */
export async function openSpec() {
  const spec = await readSpec()
  if (!spec) return undefined
  const definitions = definitionsOf(spec)
  const settings = { strict: false, allErrors: true, validateFormats: false } as const
  const [responses, requests] = [new Ajv(settings), new Ajv({ ...settings, coerceTypes: 'array' })]

  responses.addSchema({ $id: 'described', definitions })

  const checks = new Map<string, Check>()
  const checkOf = (kind: string) => {
    const check = checks.get(kind) ?? responses.compile({ $ref: `described#/definitions/${kind}` })
    checks.set(kind, check)
    return check
  }

  return {
    /** A response by its type: the `object` field, or `error`. */
    response: (kind: string, value: unknown) => violations(checkOf(kind), value),
    /** A decoded form by the path of its endpoint. */
    request: (path: string, form: Raw) => {
      const body = spec.paths[path].post.requestBody.content['application/x-www-form-urlencoded'].schema
      return violations(requests.compile(toJsonSchema(body, true)), asJson(form))
    },
  }
}
