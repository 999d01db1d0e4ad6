import { invalid, invalidInteger, missingParameter, unknownParameter } from './api-error.ts'
import type { Raw, RawForm } from './form.ts'

/** Reads one parameter; refuses with its path, e.g. `line_items[0][quantity]`. Absent is undefined. */
export type Rule<Value> = {
  (raw: Raw | undefined, path: string): Value
  /** Refuses parameters that nobody knows, at any depth; runs before any value is read. */
  survey?: (raw: Raw, path: string) => void
}
export type Shape = Record<string, Rule<unknown>>
export type Parsed<S extends Shape> = { [Name in keyof S]: ReturnType<S[Name]> }

/** Only parameters that are there are read; `required` puts the demand in front. */
function optional<Value>(read: (raw: Raw, path: string) => Value): Rule<Value | undefined> {
  return (raw, path) => (raw === undefined ? undefined : read(raw, path))
}

export function required<Value>(rule: Rule<Value>): Rule<NonNullable<Value>> {
  const read = (raw: Raw | undefined, path: string) => {
    if (raw === undefined || raw === '') throw missingParameter(path)
    return rule(raw, path) as NonNullable<Value>
  }
  return Object.assign(read, { survey: rule.survey })
}

function plain(raw: Raw, path: string): string {
  if (typeof raw !== 'string') throw invalid('Invalid string: a single value is needed.', { param: path })
  if (raw === '') throw invalid('You passed an empty string.', { code: 'parameter_invalid_empty', param: path })
  return raw
}

export const text = ({ longest = 5000 } = {}) =>
  optional((raw, path) => {
    const value = plain(raw, path)
    if (value.length > longest) {
      throw invalid(`Invalid string: at most ${longest} characters.`, {
        param: path,
      })
    }
    return value
  })

/** A whole number. Below `least` it is refused as the processor refuses amounts: zero and negative differently. */
export const whole = ({ least = 0 } = {}) =>
  optional((raw, path) => {
    const value = plain(raw, path)
    const number = Number(value)
    if (!/^-?\d{1,15}$/.test(value)) throw invalidInteger(path, value)
    if (number < 0) throw invalid('Invalid non-negative integer', { param: path })
    if (number < least) throw invalidInteger(path, value)
    return number
  })

export const flag = () =>
  optional((raw, path) => {
    const value = plain(raw, path)
    if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, { param: path })
    return value === 'true'
  })

export const choice = <const Value extends string>(...values: Value[]) =>
  optional((raw, path) => {
    const found = values.find((value) => value === plain(raw, path))
    if (!found) throw invalid(`Invalid ${path}: must be one of ${values.join(', ')}`, { param: path })
    return found
  })

export const url = () =>
  optional((raw, path) => {
    const value = plain(raw, path)
    const { protocol } = URL.parse(value.replaceAll(/[{}]/g, '')) ?? {}
    if (protocol !== 'http:' && protocol !== 'https:')
      throw invalid('Not a valid URL', { code: 'url_invalid', param: path })
    return value
  })

export const email = () =>
  optional((raw, path) => {
    const value = plain(raw, path)
    if (!isEmail(value)) throw invalid(`Invalid email address: ${value}`, { code: 'email_invalid', param: path })
    return value
  })

export const isEmail = (value: string) => value.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)

export function list<Value>(rule: Rule<Value>, { most = 100 } = {}) {
  const read = optional((raw, path) => {
    if (typeof raw === 'string') throw invalid('Invalid array', { param: path })
    const names = Object.keys(raw)
    if (names.some((name) => !/^\d{1,4}$/.test(name))) throw invalid('Invalid array', { param: path })
    if (names.length > most) throw invalid(`Array ${path} exceeded maximum ${most} allowed elements.`, { param: path })
    return names
      .sort((a, b) => Number(a) - Number(b))
      .map((name) => rule(raw[name], `${path}[${name}]`) as NonNullable<Value>)
  })
  const survey = (raw: Raw, path: string) => {
    if (typeof raw === 'string') return
    for (const [name, value] of Object.entries(raw)) rule.survey?.(value, `${path}[${name}]`)
  }
  return Object.assign(read, { survey })
}

export function group<S extends Shape>(shape: S) {
  const read = optional((raw, path): Parsed<S> => {
    if (typeof raw === 'string') throw invalid('Invalid object', { param: path })
    return readAll(raw, shape, path)
  })
  const survey = (raw: Raw, path: string) => {
    if (typeof raw !== 'string') surveyAll(raw, shape, path)
  }
  return Object.assign(read, { survey })
}

/** Metadata: at most 50 names of 40 characters with values of 500. An empty value removes the name. */
export const labels = () =>
  optional((raw, path) => {
    if (typeof raw === 'string') throw invalid('Invalid object', { param: path })
    const entries = Object.entries(raw).map(([name, value]): [string, string] => {
      if (typeof value !== 'string') throw invalid('Metadata values must be strings', { param: `${path}[${name}]` })
      if (name.length > 40 || value.length > 500) throw invalid('Metadata too long', { param: `${path}[${name}]` })
      return [name, value]
    })
    if (entries.length > 50) throw invalid('Metadata can have up to 50 keys', { param: path })
    return Object.fromEntries(entries.filter(([, value]) => value !== ''))
  })

const below = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`)

function surveyAll(raw: RawForm, shape: Shape, path: string) {
  for (const [name, value] of Object.entries(raw)) {
    if (!Object.hasOwn(shape, name)) throw unknownParameter(below(path, name))
    shape[name]!.survey?.(value, below(path, name))
  }
}

const readAll = <S extends Shape>(raw: RawForm, shape: S, path: string) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, rule]) => [name, rule(raw[name], below(path, name))]),
  ) as Parsed<S>

/** Reads a whole form. Unknown parameters are refused at every depth, before anything else is looked at. */
export function parse<S extends Shape>(raw: RawForm, shape: S): Parsed<S> {
  surveyAll(raw, shape, '')
  return readAll(raw, shape, '')
}
