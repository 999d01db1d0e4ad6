import { isCallException, type TransactionReceipt, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliveryInterface } from '../src/abi.ts'
import { deliveryAt } from '../src/contract.ts'
import { deploySuccessor } from '../src/deploy.ts'
import { parseChainLog } from '../src/log.ts'
import { createRandomActions, type Holdings } from './testing/random-actions.ts'
import { DELAY_SECONDS, startStore } from './testing/store.ts'

const [MIN_STEPS, MAX_STEPS] = [120, 600]
const [MOVES_PER_HOUR, MINTS_PER_HOUR] = [3, 8]
const seeds = process.env.SEEDS?.split(',').map(Number) ?? [1, 2, 3]

type Contracts = { collection: string; delivery: string }
type Sent = { receipt: TransactionReceipt; to: string; data: string; at: number }

/**
 * The state that the logs describe, and what the owner's calls should make of signers and limits of the delivery
 * contract: independent of the contract's own state. Times in seconds.
 */
function createLedger(firstSigner: string) {
  const holdings: Holdings = { owners: new Map(), beneficiaries: new Map(), usedLines: [] }
  const { owners, beneficiaries, usedLines } = holdings
  const perHour = new Map<string, number>()
  const signerFrom = new Map([[firstSigner, 0]])
  let limit = { present: MOVES_PER_HOUR, next: MOVES_PER_HOUR, from: 0 }
  const counts = { delivered: 0, refused: 0, reverted: 0, delayed: 0, limited: 0 }

  const limitAt = (at: number) => (at >= limit.from ? limit.next : limit.present)
  const isHeld = (delivery: string) => [...owners.values()].includes(delivery)

  /** Counts a mint or a move: of a signer by now, and within its limit of this hour. */
  function count(kind: string, { receipt, at }: Pick<Sent, 'receipt' | 'at'>, most: number) {
    const hour = `${kind} ${receipt.from} ${Math.floor(at / 3600)}`
    perHour.set(hour, (perHour.get(hour) ?? 0) + 1)
    expect(perHour.get(hour), hour).toBeLessThanOrEqual(most)
    if (perHour.get(hour) === most) counts.limited++
    if (kind === 'moves') expect(signerFrom.get(receipt.from), 'a signer').toBeLessThanOrEqual(at)
  }

  function applyOwnerCall({ to, data, at }: Sent, delivery: string) {
    const call = to === delivery ? deliveryInterface.parseTransaction({ data }) : null
    const due = isHeld(delivery) ? at + DELAY_SECONDS : at
    if (call?.name === 'addSigner') signerFrom.set(call.args[0], due)
    if (call?.name === 'addSigner' && due > at) counts.delayed++
    if (call?.name === 'removeSigner') signerFrom.delete(call.args[0])
    if (call?.name === 'setLimitPerHour') {
      const next = Number(call.args[0])
      limit = { present: limitAt(at), next, from: next > limitAt(at) ? due : at }
    }
  }

  function applyLogs({ receipt, at }: Pick<Sent, 'receipt' | 'at'>, contracts: Contracts) {
    const inThis = new Set<string>()
    for (const event of receipt.logs.flatMap((log) => parseChainLog(log, contracts) ?? [])) {
      if (event.name === 'transfer') owners.set(event.id, event.to)
      if (event.name === 'minted') count('mints', { receipt, at }, MINTS_PER_HOUR)
      if (event.name === 'custody-in' || event.name === 'beneficiary-changed') {
        expect(event.account).not.toBe(ZeroHash)
        beneficiaries.set(event.id, event.account)
      }
      if (event.name === 'custody-out') beneficiaries.delete(event.id)
      if (event.name === 'delivered' || (event.name === 'beneficiary-changed' && !inThis.has(event.lineId))) {
        expect(usedLines, `line ${event.lineId} is used once`).not.toContain(event.lineId)
        usedLines.push(event.lineId)
        inThis.add(event.lineId)
        count('moves', { receipt, at }, limitAt(at))
      }
      if (event.name === 'delivered') counts.delivered++
      if (event.name === 'refused') counts.refused++
    }
  }

  return {
    holdings,
    counts,
    signerFrom,
    limitAt,
    applyLogs,
    apply: (sent: Sent, contracts: Contracts) => {
      applyOwnerCall(sent, contracts.delivery)
      applyLogs(sent, contracts)
    },
    /** Otherwise the sequence proves nothing. */
    isCovered: () => Object.values(counts).every((times) => times > 2),
  }
}

test.each(seeds)(
  'seed %i: owners, beneficiaries, lines, signers and limits hold in a random sequence',
  async (seed) => {
    const store = await startStore()
    const { collection, delivery, addresses, owner, provider } = store
    const { holdings, signerFrom, limitAt, isCovered, counts, apply, applyLogs } = createLedger(store.signer.address)
    const token = addresses.collection
    await (await store.deliveryAs(owner).setLimitPerHour(MOVES_PER_HOUR)).wait()
    await (await store.collectionAs(owner).setLimitPerHour(MINTS_PER_HOUR)).wait()
    const { next, random } = await createRandomActions(store, { seed, holdings })

    const checkState = async (at: string, contract = delivery) => {
      const held = await contract.getAddress()
      const ids = [...holdings.owners.keys()]
      const [chainOwners, chainAccounts] = await Promise.all([
        Promise.all(ids.map((id) => collection.ownerOf(id))),
        Promise.all(ids.map((id) => contract.beneficiaryOf(token, id))),
      ])
      expect(chainOwners, at).toEqual(ids.map((id) => holdings.owners.get(id)))
      expect(chainAccounts, at).toEqual(ids.map((id) => holdings.beneficiaries.get(id) ?? ZeroHash))
      const inCustody = ids.filter((id) => holdings.beneficiaries.has(id))
      for (const id of inCustody) expect(holdings.owners.get(id), at).toBe(held)
      const stranded = ids.filter((id) => holdings.owners.get(id) === held && !holdings.beneficiaries.has(id))
      expect(Number(await collection.balanceOf(held)), at).toBe(inCustody.length + stranded.length)
      expect(Number(await collection.totalMinted()), at).toBe(ids.length)
      return inCustody
    }

    for (let step = 1; step <= MIN_STEPS || (step <= MAX_STEPS && !isCovered()); step++) {
      const { name, by, call } = await next()
      // A fixed gas limit skips the estimate, so that refused calls are mined too.
      const sent = await by.sendTransaction({ ...call, gasLimit: 3_000_000 })
      const receipt = await sent
        .wait()
        .catch((error) => (isCallException(error) ? error.receipt! : Promise.reject(error)))
      const at = (await provider.getBlock(receipt!.blockNumber))!.timestamp
      if (receipt!.status === 0) counts.reverted++
      else apply({ receipt: receipt!, ...call, at }, addresses)
      expect(await delivery.limitPerHour()).toBe(BigInt(limitAt(at)))
      for (const [signer, from] of signerFrom) expect(await delivery.isSigner(signer), name).toBe(at >= from)
      const pause = random()
      if (pause < 0.08) await provider.send('evm_increaseTime', [Math.floor(random() * 7200)])
      else if (pause < 0.1) await provider.send('evm_increaseTime', [DELAY_SECONDS])
      if (step % 10 === 0) await checkState(`step ${step}, ${name}`)
    }
    const inCustody = await checkState('the end')
    expect(isCovered(), JSON.stringify(counts)).toBe(true)
    for (const line of holdings.usedLines) expect(await delivery.isLineUsed(line)).toBe(true)
    expect(inCustody.length).toBeGreaterThan(0)

    const successor = await deploySuccessor({
      provider,
      deployerKey: (await store.newWallet()).privateKey,
      ...addresses,
      signers: [store.signer.address],
      ownerAddress: owner.address,
      movesPerHour: MOVES_PER_HOUR,
    })
    await (await store.deliveryAs(owner).announceHandOver(successor)).wait()
    await provider.send('evm_increaseTime', [48 * 3600])
    const handed = await (await store.deliveryAs(owner).handOver(token, inCustody)).wait()
    const before = new Map(holdings.beneficiaries)
    applyLogs({ receipt: handed!, at: 0 }, addresses)
    applyLogs({ receipt: handed!, at: 0 }, { ...addresses, delivery: successor })
    expect(holdings.beneficiaries).toEqual(before)
    await checkState('the hand-over', deliveryAt(successor, provider))
  },
)
