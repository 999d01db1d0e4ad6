import { zeroPadBytes } from 'ethers'

/** A uuid as the bytes32 that names an order line, a mint or a custody account on the chain. Reversible. */
export function keyOf(uuid: string): string {
  const digits = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new Error(`Not a uuid: ${uuid}`)
  return zeroPadBytes(`0x${digits.toLowerCase()}`, 32)
}

/** The uuid behind a key; undefined when the key was not made from one. */
export function uuidOf(key: string): string | undefined {
  const [, ...parts] = /^0x(.{8})(.{4})(.{4})(.{4})(.{12})0{32}$/.exec(key.toLowerCase()) ?? []
  return parts.length > 0 ? parts.join('-') : undefined
}
