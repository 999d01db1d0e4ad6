import type { Endpoint, EndpointResponse } from '@nifty/api/endpoint'
import { formatPrice } from '@nifty/api/price'

/** Of an endpoint of figures. */
export type PeriodOf<E extends Endpoint> = EndpointResponse<E> extends { periods: (infer Row)[] } ? Row : never

/** A figure of a period, under its name; null where there is none. */
export type Value<Row> = { title: string; of: (row: Row) => number | null; format: (value: number) => string }

export const counted = (value: number) => value.toLocaleString('en-GB')
const percent = (part: number) => `${Math.round(part * 100)}\u00a0%`
const minutes = (value: number) => `${counted(value)}\u00a0min`

type Maker<Result> = <Row>(title: string, of: (row: Row) => Result) => Value<Row>

export const count: Maker<number> = (title, of) => ({ title, of, format: counted })
export const euros: Maker<number> = (title, of) => ({ title, of, format: formatPrice })
export const duration: Maker<number | null> = (title, of) => ({ title, of, format: minutes })

/** The first of two numbers in percent of the second one. */
export const share: Maker<[number, number]> = (title, of) => ({
  title,
  of: (row) => {
    const [part, whole] = of(row)
    return whole === 0 ? null : part / whole
  },
  format: percent,
})

/** Null where there is none. */
export function textOf<Row>({ of, format }: Value<Row>, row: Row): string | null {
  const value = of(row)
  return value === null ? null : format(value)
}
