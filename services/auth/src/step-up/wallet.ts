import { inTransaction } from '@nifty/service-kit/database/transaction'
import { type Kysely, sql } from 'kysely'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { consumeProof, issueChallenge, verifyProof, type WalletProof } from '../wallets/wallet.challenge.ts'
import { type AuthenticationMethod, WALLET_AGE_HOURS, walletTooNew } from './step-up.ts'

/** The linked wallet, if it was linked with a step-up or proven long enough ago; a thief's new wallet is neither. */
async function findTrustedWallet(db: Kysely<Database>, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ wallet: string }>`
    select wallet from account where id = ${accountId} and wallet is not null
      and (wallet_stepped_up or wallet_proven_at <= now() - make_interval(hours => ${WALLET_AGE_HOURS}))`.execute(db)
  return rows[0]?.wallet
}

export const byWallet: AuthenticationMethod<WalletProof> = {
  isAvailable: async ({ db }, { id }) => (await findTrustedWallet(db, id)) !== undefined,
  check: async ({ db, contractWallets }, { account: { id: userId }, proof }) => {
    const address = await findTrustedWallet(db, userId)
    if (!address) throw walletTooNew()
    const signed = await verifyProof({ db, contractWallets }, { userId, address, purpose: 'step_up', proof })
    await inTransaction(db, async (trx) => {
      await lockOwnAccount(trx, userId)
      if ((await findTrustedWallet(trx, userId)) !== address) throw walletTooNew()
      await consumeProof(trx, { userId, address, purpose: 'step_up', signed })
    })
  },
}

/** Issues the text that the linked wallet signs for a step-up. */
export const challengeForStepUp = (
  { db, config }: { db: Kysely<Database>; config: Pick<Config, 'publicUrl' | 'storeName' | 'chainId'> },
  userId: string,
) =>
  inTransaction(db, async (trx) => {
    const account = await lockOwnAccount(trx, userId)
    const address = await findTrustedWallet(trx, userId)
    if (!address) throw walletTooNew()
    return { address, ...(await issueChallenge(trx, config, { account, address, purpose: 'step_up' })) }
  })
