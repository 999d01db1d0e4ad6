import type { SigningKey } from '@nifty/contracts/signing/signing-key'
import type { Log } from '@nifty/service-kit/base/logs'
import { id } from 'ethers'

/** Signed to find out whether a key can sign. No transaction and no message has this digest. */
const PROBE = id('nifty: can this key sign?')
/** How long a signature, or a failure, stands for the next one. */
const SIGNED_FOR_MS = 30_000
const FAILED_FOR_MS = 2_000

export type WatchedKey = ReturnType<typeof watchKey>

/** A key, and whether it can sign now: a key management service may be away, or refuse. `now` in milliseconds. */
export function watchKey(key: SigningKey, { log, now }: { log: Log; now: () => number }) {
  let last: { at: number; signed: boolean } | undefined
  let probing: Promise<boolean> | undefined

  async function sign(digest: string) {
    try {
      const signature = await key.sign(digest)
      last = { at: now(), signed: true }
      return signature
    } catch (error) {
      last = { at: now(), signed: false }
      log.error(
        { alarm: 'signer_key_unavailable', err: error, signer: key.address },
        'the key of a signer does not sign, it is tried again in 2 s',
      )
      throw error
    }
  }

  function probe() {
    const isRecent = last && now() - last.at < (last.signed ? SIGNED_FOR_MS : FAILED_FOR_MS)
    if (isRecent) return Promise.resolve(last!.signed)
    probing ??= sign(PROBE)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  return {
    address: key.address,
    sign,
    isAvailable: (): Promise<boolean> => (key.isRemote ? probe() : Promise.resolve(true)),
  }
}
