/** Collects the kept parts of a file in one buffer of at most `maxBytes`: a hostile file has millions of parts. */
export function createKeptParts(maxBytes: number) {
  const buffer = Buffer.allocUnsafe(maxBytes)
  let length = 0
  return {
    add: (...parts: Buffer[]) => {
      for (const part of parts) length += part.copy(buffer, length)
    },
    bytes: () => buffer.subarray(0, length),
  }
}
