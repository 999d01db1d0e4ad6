import { conflict, ExpectedError, invalid } from '@nifty/service-kit/base/errors'

export const wrongCode = () => invalid('wrong_code', 'This code is wrong, or was used already.')

export const isWrongCode = (error: unknown) => error instanceof ExpectedError && error.code === 'wrong_code'

export const secondFactorOn = () => conflict('second_factor_on', 'Your second factor is on already.')

export const noSecondFactor = () => conflict('no_second_factor', 'Your account has no second factor.')

export const secondFactorRequired = () =>
  conflict('second_factor_required', 'Your account has a second factor. Please enter a code of it too.')

/** The stored secret cannot be decrypted: SECOND_FACTOR_KEY is not the one that it was stored with. */
export const secondFactorUnavailable = (cause: unknown) =>
  new ExpectedError(
    'unavailable',
    'second_factor_unavailable',
    'Codes of your app cannot be checked at the moment. Please use a recovery code, or try again later.',
    { alarm: 'second_factor_key', cause },
  )
