import { deployContracts } from '@nifty/contracts/deploy'
import { connectChain, LOCAL_CHAIN_ID } from '@nifty/contracts/provider'
import { LOCAL_SETTINGS } from '@nifty/contracts/settings'
import { keysOfSetting, SIGNING_KEYS, signingKeyOf } from '@nifty/contracts/signing/key-setting'
import { Address, PublicUrl, parseEnv, withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { Type } from 'typebox'
import { tokenBaseUri } from './local-contracts.ts'

const Key = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
const env = parseEnv(
  Type.Object({
    CHAIN_RPC_URL: Type.String({ minLength: 1 }),
    CHAIN_DEPLOYER_KEY: Key,
    CHAIN_SIGNER_KEY: Type.String({ pattern: SIGNING_KEYS }),
    CHAIN_COLLECTION: Address,
    CHAIN_DELIVERY: Address,
    PUBLIC_URL: PublicUrl,
  }),
  process.env,
)

/**
 * Deploys the contracts to a local chain without them, checks that they are at the configured addresses, and exits.
 * Every key of CHAIN_SIGNER_KEY is a signer.
 */
const provider = connectChain({ rpcUrl: env.CHAIN_RPC_URL, chainId: LOCAL_CHAIN_ID })
try {
  const { collection, delivery } = await deployContracts({
    provider,
    deployerKey: env.CHAIN_DEPLOYER_KEY,
    signers: keysOfSetting(env.CHAIN_SIGNER_KEY).map((key) => signingKeyOf(key).address),
    baseUri: tokenBaseUri(withoutTrailingSlash(env.PUBLIC_URL)),
    settings: LOCAL_SETTINGS,
  })
  if (collection !== env.CHAIN_COLLECTION || delivery !== env.CHAIN_DELIVERY)
    throw new Error(`The contracts of this deployer are at ${collection} and ${delivery}`)
} finally {
  provider.destroy()
}
