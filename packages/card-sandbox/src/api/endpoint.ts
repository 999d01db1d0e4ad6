import type { Books } from '../store/store.ts'
import type { Draft } from '../store/transaction.ts'
import type { RawForm } from './form.ts'
import { type Parsed, parse, type Shape } from './parameter.ts'

export type Names = Record<string, string>
/** When a request came (seconds), and the API version that it speaks, e.g. `2026-10-28.endive`. */
export type Moment = { now: number; version: string }

type Expanding = { expand?: (string | undefined)[] }

/** A GET: answers from the books. `:name` steps of the path come as names. */
export type Reading = {
  method: 'GET'
  path: string
  answer: (books: Books, raw: RawForm, names: Names) => { body: object; expand?: (string | undefined)[] }
}

/** A POST: what is wrong with the parameters shows in `prepare`; what `act` refuses or does is stored under the key. */
export type Changing = {
  method: 'POST'
  path: string
  prepare: (
    raw: RawForm,
    moment: Moment,
  ) => {
    act: (draft: Draft, names: Names) => object
    expand?: (string | undefined)[]
  }
}

export type Endpoint = Reading | Changing

export const reading = <S extends Shape>(
  path: string,
  shape: S,
  answer: (books: Books, input: Parsed<S>, names: Names) => object,
): Reading => ({
  method: 'GET',
  path,
  answer: (books, raw, names) => {
    const input = parse(raw, shape)
    return { body: answer(books, input, names), expand: (input as Expanding).expand }
  },
})

type Change<S extends Shape, Plan> = {
  shape: S
  /** Checks that need more than one parameter, the time or the version. */
  plan: (input: Parsed<S>, moment: Moment) => Plan
  act: (draft: Draft, plan: Plan, names: Names) => object
}

export const changing = <S extends Shape, Plan>(path: string, { shape, plan, act }: Change<S, Plan>): Changing => ({
  method: 'POST',
  path,
  prepare: (raw, moment) => {
    const input = parse(raw, shape)
    const planned = plan(input, moment)
    return { act: (draft, names) => act(draft, planned, names), expand: (input as Expanding).expand }
  },
})
