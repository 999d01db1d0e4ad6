import type { Mint as MintResponse } from '@nifty/api/minting/public'
import { toEuros } from '@nifty/api/shapes'
import type { CommittedWork } from '@nifty/contracts/log'
import { forbidden } from '@nifty/service-kit/base/errors'
import type { Row } from '../db.ts'
import { imagePath } from '../images/image.ts'

export type Mint = Row<'mint'>

/** What the mint commits to on the chain; the image is the master file. */
export const commitmentOf = ({ name, sha256 }: Pick<Mint, 'name' | 'sha256'>): CommittedWork => ({
  name,
  imageSha256: `0x${sha256}`,
})

/** Only creators may mint: the admin flag counts as minting's copy of the account has it, not as the token claims. */
export function assertMayMint(account: { admin: boolean; suspended: boolean } | undefined) {
  if (!account?.admin || account.suspended)
    throw forbidden('not_a_creator', 'To gain access to selling your NFTs, please contact us.')
}

/** `txHash` is the newest attempt until the mint is final. */
export const toResponse = (mint: Mint & { attemptHash?: string | null }): MintResponse => ({
  _id: mint.id,
  state: mint.state,
  name: mint.name,
  description: mint.description,
  category: mint.category,
  image: imagePath(mint.file),
  color: mint.color,
  price: mint.priceCents === null ? null : toEuros(mint.priceCents),
  contract: mint.contract,
  identifier: mint.identifier,
  txHash: mint.txHash ?? mint.attemptHash ?? null,
  createdAt: mint.createdAt.toISOString(),
})
