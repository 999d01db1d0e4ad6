import type { Command } from './command.ts'

const account = (route: string, about: string, done: (email: string) => string): Command => ({
  usage: '<email>',
  about,
  changes: 'signed',
  run: async (store, args, { who, why }) => {
    const email = args[0]!
    await store.auth('POST', `/internal/ops/${route}`, { email, by: who, why })
    return done(email)
  },
})

export const accountCommands: Record<string, Command> = {
  'grant-admin': account('grant-admin', 'lets an account mint and sell', (email) => `${email} may mint and sell.`),
  'revoke-admin': account(
    'revoke-admin',
    'takes that back; its listings go',
    (email) => `${email} may not sell any more.`,
  ),
  'suspend-account': account(
    'suspend-account',
    'locks an account out; its listings go',
    (email) => `${email} is suspended.`,
  ),
  'reinstate-account': account('reinstate-account', 'lets it in again', (email) => `${email} may log in again.`),
  'confirm-email': account('confirm-email', 'confirms an address by hand', (email) => `${email} is confirmed.`),
}
