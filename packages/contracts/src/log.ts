import type { EventFragment, Interface, Result } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { parseRevert, type Revert } from './revert.ts'

/** What a mint commits to: SHA-256 (bytes32) of the master file, and the name of the work. */
export type CommittedWork = { imageSha256: string; name: string }

/** The contract events that the store uses. Addresses are checksummed, keys (bytes32) in lower case. */
export type ChainEvent =
  | { name: 'transfer'; token: string; id: bigint; from: string; to: string }
  | { name: 'minted'; mintId: string; id: bigint; to: string; work: CommittedWork }
  | { name: 'mint-refused'; mintId: string; reason: Revert }
  | { name: 'permits-voided'; id: bigint; nonce: bigint }
  | { name: 'delivered'; lineId: string; token: string; id: bigint; from: string; to: string }
  | { name: 'refused'; lineId: string; reason: Revert }
  | { name: 'custody-in'; token: string; id: bigint; account: string; from: string }
  | { name: 'custody-out'; token: string; id: bigint; account: string; to: string }
  | { name: 'beneficiary-changed'; token: string; id: bigint; account: string; previous: string; lineId: string }

export type Contracts = { collection: string; delivery: string }
type RawLog = { address: string; topics: readonly string[]; data: string }

const collectionEvents: Record<string, (args: Result, token: string) => ChainEvent> = {
  Transfer: ({ tokenId, from, to }, token) => ({ name: 'transfer', token, id: tokenId, from, to }),
  Minted: ({ mintId, tokenId, to, imageSha256, name }) => ({
    name: 'minted',
    mintId,
    id: tokenId,
    to,
    work: { imageSha256, name },
  }),
  MintRefused: ({ mintId, reason }) => ({ name: 'mint-refused', mintId, reason: parseRevert(reason) }),
  PermitsVoided: ({ tokenId, nonce }) => ({ name: 'permits-voided', id: tokenId, nonce }),
}

const deliveryEvents: Record<string, (args: Result) => ChainEvent> = {
  Delivered: ({ lineId, token, id, from, to }) => ({ name: 'delivered', lineId, token, id, from, to }),
  Refused: ({ lineId, reason }) => ({ name: 'refused', lineId, reason: parseRevert(reason) }),
  CustodyIn: ({ token, id, account, from }) => ({ name: 'custody-in', token, id, account, from }),
  CustodyOut: ({ token, id, account, to }) => ({ name: 'custody-out', token, id, account, to }),
  BeneficiaryChanged: ({ token, id, account, previous, lineId }) => ({
    name: 'beneficiary-changed',
    token,
    id,
    account,
    previous,
    lineId,
  }),
}

/** By first topic. `Interface.parseLog` hashes the signature of each event for each log. */
const byTopic = (contract: Interface, events: object) =>
  new Map(
    Object.keys(events).map((name): [string, EventFragment] => {
      const event = contract.getEvent(name)!
      return [event.topicHash, event]
    }),
  )
const collectionTopics = byTopic(collectionInterface, collectionEvents)
const deliveryTopics = byTopic(deliveryInterface, deliveryEvents)

/** First topics of all events that `parseChainLog` parses, for one `eth_getLogs` over both contracts. */
export const eventTopics: string[] = [...collectionTopics.keys(), ...deliveryTopics.keys()]

/** Undefined for other events, and for other contracts: any contract can log the same topics. */
export function parseChainLog(
  { address, topics, data }: RawLog,
  { collection, delivery }: Contracts,
): ChainEvent | undefined {
  const topic = topics[0]?.toLowerCase() ?? ''
  if (sameAddress(address, collection)) {
    const event = collectionTopics.get(topic)
    return event && collectionEvents[event.name]!(collectionInterface.decodeEventLog(event, data, topics), collection)
  }
  if (sameAddress(address, delivery)) {
    const event = deliveryTopics.get(topic)
    return event && deliveryEvents[event.name]!(deliveryInterface.decodeEventLog(event, data, topics))
  }
}

const sameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
