import * as api from '@nifty/api/auth/ops'
import type { Command } from './command.ts'
import { table } from './format.ts'

const account = (
  endpoint:
    | typeof api.grantAdmin
    | typeof api.revokeAdmin
    | typeof api.suspendAccount
    | typeof api.reinstateAccount
    | typeof api.confirmEmail
    | typeof api.unfreezeAccount
    | typeof api.removeSecondFactorOf,
  about: string,
  done: (email: string) => string,
): Command => ({
  usage: '<email>',
  about,
  changes: 'audited',
  run: async (store, args, action) => {
    const email = args[0]!
    await store.auth(endpoint, { body: { email, ...action } })
    return done(email)
  },
})

const yes = (value: boolean) => (value ? 'yes' : 'no')

const show: Command = {
  usage: '<id or e-mail address>',
  about: 'prints id, address and state of an account',
  run: async (store, args) => {
    const found = await store.auth(api.describeAccount, { body: { account: args[0]! } })
    return table([
      ['id', found.userId],
      ['user name', found.username],
      ['address', found.email],
      ['new address', found.pendingEmail ?? '-'],
      ['address confirmed', yes(found.emailConfirmed)],
      ['may mint and sell', yes(found.admin)],
      ['suspended', yes(found.suspended)],
      ['frozen', yes(found.frozen)],
      ['deletion requested', found.deletionRequestedAt ?? '-'],
      ['second factor', yes(found.hasSecondFactor)],
    ])
  },
}

export const accountCommands: Record<string, Command> = {
  account: show,
  'grant-admin': account(
    api.grantAdmin,
    'allows an account to mint and sell',
    (email) => `${email} may mint and sell.`,
  ),
  'revoke-admin': account(
    api.revokeAdmin,
    'revokes that and delists its items',
    (email) => `${email} may no longer sell.`,
  ),
  'suspend-account': account(
    api.suspendAccount,
    'ends all sessions of an account, refuses log-ins and delists its items',
    (email) => `${email} is suspended.`,
  ),
  'reinstate-account': account(api.reinstateAccount, 'allows log-ins again', (email) => `${email} may log in again.`),
  unfreeze: account(
    api.unfreezeAccount,
    'ends the freeze or the closing of an account; <email> is the address that its owner keeps',
    (email) => `${email} may log in again, with the password from before it: its owner has to change it now.`,
  ),
  'remove-second-factor': account(
    api.removeSecondFactorOf,
    'turns off the second factor of an account and ends its sessions; its owner gets a mail',
    (email) => `${email} logs in with the password only.`,
  ),
  'confirm-email': account(
    api.confirmEmail,
    'confirms an e-mail address without the mail',
    (email) => `${email} is confirmed.`,
  ),
}
