import { Wallet } from 'ethers'
import { freezeTokenOf, type Member, mailedToken, type startTestAuth } from './auth.ts'

export const newPassword = 'a brand new secret phrase'

/** An account, its owner and a thief who has its password: freezing, returning by a reset, and what a thief changes. */
export function freezingIn(auth: Awaited<ReturnType<typeof startTestAuth>>) {
  const logIn = (email: string, password: string) => auth.call('POST', '/api/auth/login', { body: { email, password } })
  const requestReset = (email: string) => auth.call('POST', '/api/password-reset/request', { body: { email } })
  return {
    logIn,
    requestReset,
    freeze: (token: unknown) => auth.call('POST', '/api/auth/freeze', { body: { token } }),
    /** The newest freeze token that was mailed to an address. */
    freezeTokenOf: (member: Member, email = member.email) => freezeTokenOf(auth.db, member, email),
    resetThrough: async (email: string) => {
      await requestReset(email)
      const token = await mailedToken(auth.db, 'password-reset-requested', email)
      return auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })
    },
    linkWallet: ({ id, ...member }: Member) =>
      auth.call('POST', '/api/wallet/connect-metamask', {
        ...member,
        body: { userId: id, metamaskAddress: Wallet.createRandom().address },
      }),
    /** What a thief with the password does: another address, confirmed. */
    moveTo: async (member: Member, email: string): Promise<Member> => {
      await auth.call('PUT', `/api/users/${member.id}`, { ...member, body: { email } })
      const token = await mailedToken(auth.db, 'email-confirmation-requested', email)
      await auth.call('POST', '/api/auth/verify-email', { body: { token } })
      const { body } = await logIn(email, member.password)
      return { ...member, email, token: body.token, stepUp: body.stepUp }
    },
  }
}
