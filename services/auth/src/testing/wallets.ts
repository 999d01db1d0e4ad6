import type { HDNodeWallet } from 'ethers'
import type { Member, startTestAuth } from './auth.ts'

/** Links a wallet to an account, by default with its signature. The tokens are those of the request that links it. */
export async function linkWallet(
  auth: Awaited<ReturnType<typeof startTestAuth>>,
  { id, token }: Member,
  wallet: HDNodeWallet,
  tokens: Partial<Pick<Member, 'token' | 'stepUp'>>,
  { signed = true } = {},
) {
  const { address } = wallet
  const { message } = (await auth.call('POST', '/api/wallet/challenge', { body: { address }, token })).body
  const proof = signed ? { message, signature: await wallet.signMessage(message) } : {}
  const body = { userId: id, metamaskAddress: address, ...proof }
  return auth.call('POST', '/api/wallet/connect-metamask', { body, token, ...tokens })
}
