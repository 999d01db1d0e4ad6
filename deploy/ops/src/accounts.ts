import { type FoundAccount, searchAccounts } from '@nifty/api/auth/account-search'
import { accountStates } from '@nifty/api/auth/account-states'
import { fullNameOf } from '@nifty/api/auth/full-name'
import * as api from '@nifty/api/auth/ops'
import type { Command } from './command.ts'
import { printable, table } from './format.ts'
import { accountOf } from './lookup.ts'
import { UsageError } from './store.ts'

/** Of a command that needs the address itself. */
const KEPT_ADDRESS = '<address>'

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
  usage = '<account>',
): Command => ({
  usage,
  about,
  changes: 'audited',
  run: async (store, args, action) => {
    // The address that an owner keeps is a decision of the operator: it is not replaced by that of the account.
    const email = usage === KEPT_ADDRESS ? args[0]! : (await accountOf(store, args[0]!)).email
    await store.auth(endpoint, { body: { email, ...action } })
    return done(email)
  },
})

const yes = (value: boolean) => (value ? 'yes' : 'no')

const show: Command = {
  usage: '<account>',
  about: 'prints id, address and state of an account',
  json: true,
  run: async (store, args) => {
    const { userId } = await accountOf(store, args[0]!)
    const found = await store.auth(api.describeAccount, { body: { account: userId } })
    const text = table([
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
    return { text, ok: true, json: found }
  },
}

const stateOf = ({ admin, suspended, frozen, deletionRequestedAt, emailConfirmed }: FoundAccount) =>
  [
    admin ? 'seller' : '',
    suspended ? 'suspended' : '',
    frozen ? 'frozen' : '',
    deletionRequestedAt ? 'deletion requested' : '',
    emailConfirmed === false ? 'address not confirmed' : '',
  ]
    .filter(Boolean)
    .join(', ')

const list: Command = {
  usage: '[part of a name, address, @name, wallet or id]',
  about: 'lists accounts, newest first, 50 at most; the list names the one to go on after',
  json: true,
  options: {
    '--state <state>': `only those that are ${accountStates.join(', ')}`,
    '--after <id>': 'goes on after this account',
  },
  run: async (store, [search], _action, _since, { state, after } = {}) => {
    const known = accountStates.find((each) => each === state)
    if (state !== undefined && !known) throw new UsageError(`--state is one of ${accountStates.join(', ')}`)
    const found = await store.auth(searchAccounts, {
      body: {
        ...(search && { search }),
        ...(known && { state: known }),
        ...(after !== undefined && { after: String(after) }),
      },
    })
    if (found.accounts.length === 0) return { text: 'No account.', ok: true, json: found }
    const rows = found.accounts.map((account) =>
      [
        account.userId,
        account.username,
        fullNameOf(account),
        account.email,
        account.createdAt ?? '',
        stateOf(account),
      ].map(printable),
    )
    const more = found.next ? [`More: --after ${found.next}`] : []
    const text = [table([['id', 'user name', 'name', 'address', 'since', 'state'], ...rows]), ...more].join('\n')
    return { text, ok: true, json: found }
  },
}

export const accountCommands: Record<string, Command> = {
  accounts: list,
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
    'ends the freeze or the closing of an account; <address> is the one that its owner keeps',
    (email) => `${email} may log in again, with the password from before it: its owner has to change it now.`,
    KEPT_ADDRESS,
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
