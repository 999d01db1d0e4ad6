import { sha256 } from '@nifty/service-kit/base/secrets'

/** The id of the gift of a line: a database that was restored from before the purchase makes the same one again. */
export const giftIdOf = (lineId: string) => idOf(`gift ${lineId}`)

/**
 * The line id of a claim on the chain: the same for the same recipient, so that a database that was restored from
 * before the claim finds it there, and only for its recipient. `number`: of the claims of this recipient, from 0 on.
 */
export const claimIdOf = ({ giftId, recipientId, number }: { giftId: string; recipientId: string; number: number }) =>
  idOf(`claim ${giftId} ${recipientId} ${number}`)

/** A UUID of version 8 (RFC 9562) that follows from a text. */
function idOf(text: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(text))!
  return `${a}-${b}-8${c}-8${d}-${e}`
}
