import * as api from '@nifty/api/auth/ops'
import type { Command } from './command.ts'

const account = (
  endpoint:
    | typeof api.grantAdmin
    | typeof api.revokeAdmin
    | typeof api.suspendAccount
    | typeof api.reinstateAccount
    | typeof api.confirmEmail,
  about: string,
  done: (email: string) => string,
): Command => ({
  usage: '<email>',
  about,
  changes: 'signed',
  run: async (store, args, { operator, reason }) => {
    const email = args[0]!
    await store.auth(endpoint, { body: { email, operator, reason } })
    return done(email)
  },
})

export const accountCommands: Record<string, Command> = {
  'grant-admin': account(api.grantAdmin, 'lets an account mint and sell', (email) => `${email} may mint and sell.`),
  'revoke-admin': account(
    api.revokeAdmin,
    'takes that back; its listings go',
    (email) => `${email} may not sell any more.`,
  ),
  'suspend-account': account(
    api.suspendAccount,
    'locks an account out; its listings go',
    (email) => `${email} is suspended.`,
  ),
  'reinstate-account': account(api.reinstateAccount, 'lets it in again', (email) => `${email} may log in again.`),
  'confirm-email': account(api.confirmEmail, 'confirms an address by hand', (email) => `${email} is confirmed.`),
}
