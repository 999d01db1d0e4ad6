import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import type { Raw } from '../api/form.ts'

const source = 'github.com/stripe/stripe-mock@v0.203.0'
/** The API version that the published description describes. */
export const describedVersion = '2026-08-26.dahlia'

type Schema = Record<string, any>
type Spec = { components: { schemas: Schema }; paths: Schema }

/** What the official client's types demand (its API version is newer) and the published description does not have. */
const newer: Record<string, string[]> = {
  'checkout.session': ['allowed_payment_method_types'],
  dispute: ['intended_submission_method'],
  dispute_evidence_details: ['submission_method'],
  charge: ['source'],
  payment_intent: ['payment_record', 'source'],
  payment_method_details_card: ['electronic_commerce_indicator'],
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Turns OpenAPI 3.0 into JSON Schema. `isClosed` refuses every field that is not described. */
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

/** Reads the published OpenAPI description where Go's module cache has it; nothing without Go or a network. */
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
  for (const [name, fields] of Object.entries(newer)) {
    for (const field of fields) definitions[name].properties[field] = {}
  }
  return definitions
}

/** Lists of a decoded form as JSON has them. */
export function asJson(raw: Raw): unknown {
  if (typeof raw === 'string') return raw
  const names = Object.keys(raw)
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return names.map((name) => asJson(raw[name]!))
  return Object.fromEntries(names.map((name) => [name, asJson(raw[name]!)]))
}

type Check = ReturnType<Ajv['compile']>

function problems(check: Check, value: unknown): string[] {
  if (check(value)) return []
  return check.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Checks against the published description; each answers with what is wrong. */
export async function openDescription() {
  const spec = await readSpec()
  if (!spec) return undefined
  const definitions = definitionsOf(spec)
  const settings = { strict: false, allErrors: true, validateFormats: false } as const
  const [answers, requests] = [new Ajv(settings), new Ajv({ ...settings, coerceTypes: 'array' })]

  answers.addSchema({ $id: 'described', definitions })

  const checks = new Map<string, Check>()
  const checkOf = (kind: string) => {
    const check = checks.get(kind) ?? answers.compile({ $ref: `described#/definitions/${kind}` })
    checks.set(kind, check)
    return check
  }

  return {
    /** An answer by its kind: the `object` field, or `error`. */
    answer: (kind: string, value: unknown) => problems(checkOf(kind), value),
    /** A decoded form by its address. */
    request: (path: string, form: Raw) => {
      const body = spec.paths[path].post.requestBody.content['application/x-www-form-urlencoded'].schema
      return problems(requests.compile(toJsonSchema(body, true)), asJson(form))
    },
  }
}
