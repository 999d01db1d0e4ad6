const MAX_LENGTH = 254

/** One plain address: no lists, no names, no quoted parts, nothing that a mail server could read as two. */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_LENGTH &&
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(value)
