import { invalid, invalidInteger, missingParameter, unknownParameter } from '../errors/api-error.ts'
import type { Raw, RawForm } from './form.ts'

/** Parses one parameter. Errors name its path, e.g. `line_items[0][quantity]`. An absent one is undefined. */
export type Rule<Value> = {
  (raw: Raw | undefined, path: string): Value
  /** Refuses unknown parameters at any depth; runs before any value is parsed. */
  checkNames?: (raw: Raw, path: string) => void
}
export type Shape = Record<string, Rule<unknown>>
export type Parsed<S extends Shape> = { [Name in keyof S]: ReturnType<S[Name]> }

/** Skips an absent parameter; wrapped by `required` where it is mandatory. */
function optional<Value>(read: (raw: Raw, path: string) => Value): Rule<Value | undefined> {
  return (raw, path) => (raw === undefined ? undefined : read(raw, path))
}

export function required<Value>(rule: Rule<Value>): Rule<NonNullable<Value>> {
  const read = (raw: Raw | undefined, path: string) => {
    if (raw === undefined || raw === '') throw missingParameter(path)
    return rule(raw, path) as NonNullable<Value>
  }
  return Object.assign(read, { checkNames: rule.checkNames })
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

/** An integer of at least `least`. The errors for zero and for negative numbers differ, as Stripe's do. */
export const integer = ({ least = 0 } = {}) =>
  optional((raw, path) => {
    const value = plain(raw, path)
    const number = Number(value)
    if (!/^-?\d{1,15}$/.test(value)) throw invalidInteger(path, value)
    if (number < 0) throw invalid('Invalid non-negative integer', { param: path })
    if (number < least) throw invalidInteger(path, value)
    return number
  })

export const boolean = () =>
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

/** A parameter whose empty value removes what was set; null then. */
export const unsettable = <Value>(rule: Rule<Value>): Rule<Value | null> =>
  Object.assign((raw: Raw | undefined, path: string) => (raw === '' ? null : rule(raw, path)), {
    checkNames: rule.checkNames,
  })

/** Text on a card statement: at most 22 characters, one of them a letter. */
export const descriptor = () =>
  optional((raw, path) => {
    const value = plain(raw, path)
    if (value.length > 22 || !/[a-z]/i.test(value) || /[<>\\'"*]/.test(value)) {
      throw invalid('The statement descriptor must have at most 22 characters, one of them a letter.', { param: path })
    }
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
  const checkNames = (raw: Raw, path: string) => {
    if (typeof raw === 'string') return
    for (const [name, value] of Object.entries(raw)) rule.checkNames?.(value, `${path}[${name}]`)
  }
  return Object.assign(read, { checkNames })
}

export function group<S extends Shape>(shape: S) {
  const read = optional((raw, path): Parsed<S> => {
    if (typeof raw === 'string') throw invalid('Invalid object', { param: path })
    return readAll(raw, shape, path)
  })
  const checkNames = (raw: Raw, path: string) => {
    if (typeof raw !== 'string') checkAllNames(raw, shape, path)
  }
  return Object.assign(read, { checkNames })
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

const pathOf = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`)

function checkAllNames(raw: RawForm, shape: Shape, path: string) {
  for (const [name, value] of Object.entries(raw)) {
    if (!Object.hasOwn(shape, name)) throw unknownParameter(pathOf(path, name))
    shape[name]!.checkNames?.(value, pathOf(path, name))
  }
}

const readAll = <S extends Shape>(raw: RawForm, shape: S, path: string) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, rule]) => [name, rule(raw[name], pathOf(path, name))]),
  ) as Parsed<S>

/** Parses a form. Unknown parameters at any depth are refused before any other check. */
export function parse<S extends Shape>(raw: RawForm, shape: S): Parsed<S> {
  checkAllNames(raw, shape, '')
  return readAll(raw, shape, '')
}
