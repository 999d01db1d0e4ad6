/** Whether a secret key is of the live mode. */
export const isLiveKey = (secretKey: string) => /^[sr]k_live_/.test(secretKey)

/** JSON of an object in the mode of the API key. The store keeps all objects in the test mode. */
export const inMode = (body: unknown, livemode: boolean, indent?: number) =>
  JSON.stringify(body, (name, value) => (name === 'livemode' ? livemode : value), indent)
