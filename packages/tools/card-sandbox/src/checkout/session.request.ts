import {
  choice,
  descriptor,
  email,
  group,
  integer,
  labels,
  list,
  type Parsed,
  required,
  text,
  url,
} from '../api/parameter.ts'
import { unknownParameter } from '../errors/api-error.ts'

/** The parameters of a new session that the sandbox accepts: card payments on the hosted page. */
export const sessionRequest = {
  allowed_payment_method_types: list(choice('card')),
  billing_address_collection: choice('auto', 'required'),
  cancel_url: url(),
  client_reference_id: text({ longest: 200 }),
  currency: text({ longest: 3 }),
  custom_text: group({ submit: group({ message: required(text({ longest: 1200 })) }) }),
  customer: text(),
  customer_email: email(),
  expand: list(text()),
  expires_at: integer(),
  line_items: required(
    list(
      group({
        price_data: required(
          group({
            currency: required(text({ longest: 3 })),
            product_data: required(
              group({
                name: required(text({ longest: 250 })),
                description: text(),
                images: list(url(), { most: 8 }),
                metadata: labels(),
              }),
            ),
            unit_amount: required(integer()),
          }),
        ),
        quantity: required(integer({ least: 1 })),
      }),
    ),
  ),
  locale: choice('auto', 'en', 'en-GB', 'de', 'fr', 'es', 'it', 'nl'),
  metadata: labels(),
  mode: required(choice('payment')),
  payment_intent_data: group({
    capture_method: choice('automatic', 'automatic_async', 'manual'),
    description: text({ longest: 1000 }),
    metadata: labels(),
    receipt_email: email(),
    statement_descriptor_suffix: descriptor(),
  }),
  payment_method_options: group({
    card: group({ request_three_d_secure: choice('automatic', 'any', 'challenge') }),
  }),
  payment_method_types: list(choice('card')),
  saved_payment_method_options: group({
    payment_method_remove: choice('enabled', 'disabled'),
    payment_method_save: choice('enabled', 'disabled'),
  }),
  submit_type: choice('auto', 'pay', 'book', 'donate'),
  success_url: required(url()),
  ui_mode: choice('hosted_page'),
}

type Request = Parsed<typeof sessionRequest>
type Line = NonNullable<Request['line_items'][number]>
type Defined<T> = T extends undefined ? never : T

/** A request without holes in its line items. */
export type SessionRequest = Omit<Request, 'line_items'> & { line_items: Defined<Line>[] }

/** The first API version with `allowed_payment_method_types` in place of `payment_method_types`. */
const endive = '2026-09-30'

/** Each API version accepts one of the two parameters that restrict a session to cards. */
export function checkVersion(
  request: Pick<Request, 'payment_method_types' | 'allowed_payment_method_types'>,
  version: string,
) {
  if (version >= endive && request.payment_method_types) throw unknownParameter('payment_method_types')
  if (version < endive && request.allowed_payment_method_types) throw unknownParameter('allowed_payment_method_types')
}
