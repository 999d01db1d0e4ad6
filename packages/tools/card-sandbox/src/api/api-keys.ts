export type ApiKeys = {
  accepts: (key: string | undefined) => boolean
  change: (keys: string[]) => void
}

/** The keys of the account. The control API changes them, as the processor's dashboard rolls a key. */
export function createApiKeys(secretKey: string): ApiKeys {
  let accepted = [secretKey]
  return {
    accepts: (key) => key !== undefined && accepted.includes(key),
    change: (keys) => {
      accepted = keys
    },
  }
}
