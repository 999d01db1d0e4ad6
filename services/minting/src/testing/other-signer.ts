import { type DeliveryLine, deliverCall, deliverManyCall, type MintOrder, mintCall } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import type { TestMinting } from './minting.ts'

type Order = { lineId: string; token: string; wallet: string; sellerId: string }

/** Another process with a key of its own that mints and delivers for this store. */
export async function givenOtherSigner({ chain, db }: TestMinting) {
  const wallet = await chain.newWallet()
  await chain.grantSigner(wallet.address)

  /** The line out of the seller's custody, to the wallet of the order unless `to` is given. */
  async function lineOf(
    { lineId, token, sellerId, wallet: recipient }: Order,
    to: DeliveryLine['to'] = recipient,
  ): Promise<DeliveryLine> {
    const { account } = await db
      .selectFrom('custodyAccount')
      .select('account')
      .where('userId', '=', sellerId)
      .executeTakeFirstOrThrow()
    const id = BigInt(token.split('/')[1]!)
    return { lineId: keyOf(lineId), token: chain.collection, id, to, from: { account: keyOf(account) } }
  }

  return {
    mint: (order: MintOrder) => wallet.sendTransaction(mintCall(chain.collection, order)),
    callOf: async (order: Order) => deliverCall(chain.delivery, await lineOf(order)),
    deliver: async (order: Order, to?: DeliveryLine['to']) =>
      wallet.sendTransaction(deliverCall(chain.delivery, await lineOf(order, to))),
    /** A batch in which the contract refuses the line: it names another custody account. */
    refuse: async (order: Order) => {
      const line = { ...(await lineOf(order)), from: { account: keyOf(order.lineId) } }
      return wallet.sendTransaction(deliverManyCall(chain.delivery, [line]))
    },
  }
}
