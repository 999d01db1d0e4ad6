/** Shown where the code could not be loaded: offline, or in a tab that is older than the files on the server. */
export const passkeyCodeMissing = 'Passkeys could not be loaded. Please reload the page and try again.'

/** The code for the passkeys of the device, loaded with the first use; undefined where it could not be loaded. */
export const loadPasskeyDevice = () => import('./passkey-device.ts').catch(() => undefined)
