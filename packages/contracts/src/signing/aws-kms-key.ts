import { getBytes } from 'ethers'
import { addressOfPublicKey, readDer, recoverable } from './recoverable-signature.ts'
import type { SigningKey } from './signing-key.ts'

/** Of one signature, with a second attempt. */
const TIMEOUT_MS = 2_000

/** Loaded with the first signature: other stores do without it. Region, credentials and endpoint are the SDK's own. */
async function connect() {
  const sdk = await import('@aws-sdk/client-kms')
  const client = new sdk.KMSClient({ maxAttempts: 2 })
  return { sdk, client }
}

/**
 * A key of AWS KMS (`ECC_SECG_P256K1`, `SIGN_VERIFY`); `keyId` is an id, an ARN or `alias/…`. It needs `kms:Sign`.
 */
export function awsKmsKey({
  address,
  keyId,
  timeoutMs = TIMEOUT_MS,
}: {
  address: string
  keyId: string
  timeoutMs?: number
}): SigningKey {
  let connection: ReturnType<typeof connect> | undefined
  return {
    address,
    isRemote: true,
    sign: async (digest) => {
      connection ??= connect()
      const { sdk, client } = await connection
      const command = new sdk.SignCommand({
        KeyId: keyId,
        Message: getBytes(digest),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      })
      const { Signature: der } = await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) })
      return recoverable(readDer(der!), digest, address)
    },
  }
}

/** The address of a key of AWS KMS. It needs `kms:GetPublicKey`. */
export async function awsKmsAddress(keyId: string): Promise<string> {
  const { sdk, client } = await connect()
  try {
    const command = new sdk.GetPublicKeyCommand({ KeyId: keyId })
    const { PublicKey } = await client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
    return addressOfPublicKey(PublicKey!)
  } finally {
    client.destroy()
  }
}
