import { getAddress } from 'ethers'
import { awsKmsKey } from './aws-kms-key.ts'
import { localKey } from './local-key.ts'
import type { SigningKey } from './signing-key.ts'

const KEY = '(0x[0-9a-fA-F]{64}|awskms:0x[0-9a-fA-F]{40}:[A-Za-z0-9:/_-]+)'

/**
 * `CHAIN_SIGNER_KEY`: keys separated by commas, each 0x and 64 hex digits, or `awskms:<address>:<id, ARN or alias>` of
 * AWS KMS.
 */
export const SIGNING_KEYS = `^${KEY}(,${KEY})*$`

/** The keys of a setting, each once. */
export const keysOfSetting = (setting: string): string[] => [
  ...new Set(setting.split(',').map((key) => (key.startsWith('0x') ? key.toLowerCase() : key))),
]

/** Throws for an address with a wrong checksum. */
export function signingKeyOf(key: string): SigningKey {
  const [, address, keyId] = /^awskms:(0x[0-9a-fA-F]{40}):(.+)$/.exec(key) ?? []
  return address ? awsKmsKey({ address: getAddress(address), keyId: keyId! }) : localKey(key)
}

/** The setting of a key of AWS KMS. */
export const awsKmsSetting = (address: string, keyId: string) => `awskms:${address}:${keyId}`
