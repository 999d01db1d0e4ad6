const key = 'deviceId'

/**
 * A random id of this browser, by which the server knows it again at a log-in. Made at the first log-in. Undefined
 * where storage is forbidden.
 */
export function deviceId(): string | undefined {
  try {
    const stored = localStorage.getItem(key)
    if (stored) return stored
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const created = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    localStorage.setItem(key, created)
    return created
  } catch {
    return undefined
  }
}
