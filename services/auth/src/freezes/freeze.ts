import { conflict, forbidden, invalid } from '@nifty/service-kit/base/errors'

export const invalidFreezeLink = () => invalid('invalid_token', 'This link is invalid or has expired.')

export const accountFrozen = () =>
  forbidden(
    'account_frozen',
    'This account is frozen. To use it again, reset its password through the address that our mail went to.',
  )

export const notFrozenNow = () => conflict('not_frozen', 'This account is neither frozen nor closed')

export const formerAddressTaken = () =>
  conflict('email_taken', 'This e-mail address belongs to another account now. Please write to us.')
