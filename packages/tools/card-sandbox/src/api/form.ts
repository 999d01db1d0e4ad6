import { malformedForm } from '../errors/api-error.ts'

/** A decoded form value: text, or nested values by name. Lists are `{0: …, 1: …}`. */
export type Raw = string | { [name: string]: Raw }
export type RawForm = { [name: string]: Raw }

const maxDepth = 8

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformedForm()
  }
}

const emptyForm = (): RawForm => Object.create(null)

/** Splits `line_items[0][price_data][currency]` into its segments. */
function stepsOf(name: string): string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (first === undefined || rest === undefined) throw malformedForm()
  const steps = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step!)]
  if (steps.length > maxDepth) throw malformedForm()
  return steps
}

function place(form: RawForm, steps: string[], value: string) {
  let at = form
  for (const [index, step] of steps.entries()) {
    const name = step === '' ? String(Object.keys(at).length) : step
    if (index === steps.length - 1) {
      if (typeof at[name] === 'object') throw malformedForm()
      at[name] = value
      return
    }
    const below = at[name] ?? emptyForm()
    if (typeof below === 'string') throw malformedForm()
    at[name] = below
    at = below
  }
}

/** Decodes a form or a query string with nested keys and lists, as Stripe's clients encode them. */
export function decodeForm(text: string): RawForm {
  const form = emptyForm()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    place(form, stepsOf(name), value)
  }
  return form
}

/** The same text for the same parameters in any order. */
export function canonical(raw: Raw): string {
  if (typeof raw === 'string') return JSON.stringify(raw)
  const entries = Object.keys(raw)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(raw[name]!)}`)
  return `{${entries.join(',')}}`
}
