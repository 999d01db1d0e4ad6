import { auctionMutants } from './auctions.ts'
import { bidMutants } from './bids.ts'
import { cardMutants } from './cards.ts'
import { chainMutants } from './chain.ts'
import { contractMutants } from './contracts.ts'
import { messageMutants } from './messages.ts'
import { mintingMutants } from './minting.ts'
import { moneyMutants } from './money.ts'
import type { Mutant } from './mutant.ts'
import { offerMutants } from './offers.ts'
import { paymentMutants } from './payments.ts'

export const mutants: Mutant[] = [
  ...paymentMutants,
  ...moneyMutants,
  ...chainMutants,
  ...mintingMutants,
  ...contractMutants,
  ...messageMutants,
  ...offerMutants,
  ...bidMutants,
  ...auctionMutants,
  ...cardMutants,
]
