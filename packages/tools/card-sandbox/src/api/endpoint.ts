import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transaction.ts'
import type { RawForm } from './form.ts'
import { type Parsed, parse, type Shape } from './parameter.ts'

/** Values of the `:name` segments of a path. */
export type PathParams = Record<string, string>
/** Time of a request (seconds) and the API version of its caller, e.g. `2026-10-28.endive`. */
type CallContext = { now: number; version: string }

type Expandable = { expand?: (string | undefined)[] }

/** A GET endpoint. */
export type ReadEndpoint = {
  method: 'GET'
  path: string
  read: (store: Store, raw: RawForm, params: PathParams) => { body: object; expand?: (string | undefined)[] }
}

/**
 * A POST or DELETE endpoint. Errors of `prepare` (wrong parameters) are not stored under the idempotency key; the
 * result or the error of `execute` is.
 */
export type WriteEndpoint = {
  method: 'POST' | 'DELETE'
  path: string
  prepare: (
    raw: RawForm,
    context: CallContext,
  ) => {
    execute: (tx: Transaction, params: PathParams) => object
    expand?: (string | undefined)[]
  }
}

export type Endpoint = ReadEndpoint | WriteEndpoint

export const readEndpoint = <S extends Shape>(
  path: string,
  shape: S,
  read: (store: Store, input: Parsed<S>, params: PathParams) => object,
): ReadEndpoint => ({
  method: 'GET',
  path,
  read: (store, raw, params) => {
    const input = parse(raw, shape)
    return { body: read(store, input, params), expand: (input as Expandable).expand }
  },
})

type WriteDefinition<S extends Shape, Checked> = {
  shape: S
  /** Checks that need more than one parameter, the time or the API version. */
  check: (input: Parsed<S>, context: CallContext) => Checked
  execute: (tx: Transaction, checked: Checked, params: PathParams) => object
}

export const writeEndpoint = <S extends Shape, Checked>(
  path: string,
  { shape, check, execute }: WriteDefinition<S, Checked>,
): WriteEndpoint => ({
  method: 'POST',
  path,
  prepare: (raw, context) => {
    const input = parse(raw, shape)
    const checked = check(input, context)
    return { execute: (tx, params) => execute(tx, checked, params), expand: (input as Expandable).expand }
  },
})

/** A DELETE endpoint without parameters. */
export const deleteEndpoint = (
  path: string,
  execute: (tx: Transaction, params: PathParams) => object,
): WriteEndpoint => ({
  method: 'DELETE',
  path,
  prepare: (raw) => {
    parse(raw, {})
    return { execute }
  },
})
