import { createPublicKey } from 'node:crypto'
import { computeAddress, N, recoverAddress, Signature, toBeHex } from 'ethers'

/** `r` and `s` of an ECDSA signature in DER (RFC 3279). Throws for another structure. */
export function readDer(der: Uint8Array): { r: bigint; s: bigint } {
  const bytes = Buffer.from(der)
  const wrong = () => new Error('The signature is not an ECDSA signature in DER')
  const integerAt = (at: number) => {
    const end = at + 2 + bytes[at + 1]!
    if (bytes[at] !== 2 || !(end <= bytes.length)) throw wrong()
    return { value: BigInt(`0x0${bytes.toString('hex', at + 2, end)}`), end }
  }
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) throw wrong()
  const r = integerAt(2)
  const s = integerAt(r.end)
  if (s.end !== bytes.length) throw wrong()
  return { r: r.value, s: s.value }
}

/**
 * The signature of an address with `s` in the lower half (EIP-2) and the parity by which the address is recovered.
 * Throws when it is another key's.
 */
export function recoverable({ r, s }: { r: bigint; s: bigint }, digest: string, address: string): Signature {
  const parts = { r: toBeHex(r, 32), s: toBeHex(s > N / 2n ? N - s : s, 32) }
  for (const yParity of [0, 1] as const) {
    const signature = Signature.from({ ...parts, yParity })
    if (recoverAddress(digest, signature) === address) return signature
  }
  throw new Error(`The signature is not one of ${address}`)
}

/** The address of a public key in DER (SubjectPublicKeyInfo). Throws for another curve than secp256k1. */
export function addressOfPublicKey(der: Uint8Array): string {
  const {
    crv,
    x = '',
    y = '',
  } = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  })
  if (crv !== 'secp256k1') throw new Error('The key is not on the curve secp256k1')
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url').toString('hex'))
  return computeAddress(`0x04${left}${right}`)
}
