import fc from 'fast-check'
import type { Schema } from './document.ts'

/** Values that earlier responses or the accounts of the run have for a field of this name. */
export type Known = (name: string) => readonly unknown[]

const MAX_GENERATED_TEXT = 60

/** Values that a schema accepts; fields with known values mostly take one of those. */
export function validValue(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => validValue(each, known)))
  const { minimum = -1e9, maximum = 1e9 } = schema
  switch (schema.type) {
    case 'string':
      return validText(schema)
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    case 'number':
      return fc.integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) }).map((cents) => cents / 100)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(validValue(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 3),
      })
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, own]) => [name, fieldValue(name, own, known)])
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] } as never)
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function fieldValue(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const values = known(name)
  const valid = validValue(schema, known)
  return values.length === 0
    ? valid
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: valid })
}

function validText({ format, pattern, minLength = 0, maxLength = MAX_GENERATED_TEXT }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  const printable = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, MAX_GENERATED_TEXT) })
  return fc.oneof(
    { weight: 5, arbitrary: printable.filter((text) => text.length <= maxLength) },
    { weight: 1, arbitrary: fc.constantFrom('a'.repeat(maxLength), 'a'.repeat(Math.max(1, minLength))) },
  )
}

const prototypeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

/** Field names that no schema has: they are refused or without effect. */
export const extraField = fc.tuple(
  fc.constantFrom(...prototypeKeys, 'admin', '_id', 'owner', 'sub', '$gt', '', 'a'.repeat(300), '\u0000', '\u202e'),
  fc.constantFrom<unknown>(true, null, {}, { admin: true }, [], 'x', -1),
)

/** Text at the edges: lengths, scripts, controls, other languages' syntax, spellings of numbers and ids. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'null',
    '9'.repeat(19),
    String(2n ** 256n),
    '\u00bd',
    '\u0000',
    'a\u0000b',
    '\u001b[31m',
    'a\r\nBcc: b@c.example',
    '\u202egnp',
    '\u200b',
    '\ufeff',
    '\ud800',
    '\udfff',
    'e\u0301',
    '\ud83d\udc69\u200d\ud83d\udc69',
    '\u0130',
    'ﬁ',
    "' OR 1=1 --",
    '%',
    '_',
    '\\',
    '(a+)+$',
    '{{7*7}}',
    '../../etc/passwd',
    '..%2f',
    '%00',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'a@b.example,c@d.example',
    '"a b"@c.example',
    '@@x',
    'a'.repeat(257),
    'a'.repeat(301),
    'é'.repeat(5_001),
    `0x${'0'.repeat(40)}`,
    `0X${'f'.repeat(40)}`,
    `0x${'g'.repeat(40)}`,
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

/** Values of a wrong type, and numbers at the edges. */
export const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, [], {}, [5], [[]], { $gt: '' }, { length: 3 }, [null], ['a', 'b']),
  fc.constantFrom(0, -0, -1, 0.49, 0.5, 0.001, 12.345, 1e-7, 0.1 + 0.2, 999_999.99, 1_000_000, 2 ** 53, 1e300),
  fc.jsonValue({ maxDepth: 3 }),
)
