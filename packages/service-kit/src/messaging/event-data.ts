import type { EventContract } from '@nifty/events/define-event'
import type { TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

const validators = new WeakMap<TObject, Validator>()

/**
 * The compiled schema of an event's data: a check takes a tenth of the time of `Value.Parse`. Compiled when the event
 * is first published or consumed.
 */
export function eventData({ data }: EventContract<any>): Validator {
  const validator = validators.get(data) ?? Compile(data)
  validators.set(data, validator)
  return validator
}
