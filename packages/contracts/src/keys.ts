import { zeroPadBytes } from 'ethers'

/** Converts a uuid to the bytes32 id of an order line, a mint or a custody account on the chain. Reversible. */
export function keyOf(uuid: string): string {
  const digits = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new Error(`Not a uuid: ${uuid}`)
  return zeroPadBytes(`0x${digits.toLowerCase()}`, 32)
}

/** The uuid of a key; undefined for a key of other origin. */
export function uuidOf(key: string): string | undefined {
  const [, ...parts] = /^0x(.{8})(.{4})(.{4})(.{4})(.{12})0{32}$/.exec(key.toLowerCase()) ?? []
  return parts.length > 0 ? parts.join('-') : undefined
}
