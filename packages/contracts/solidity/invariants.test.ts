import { isCallException, type TransactionReceipt, ZeroHash } from 'ethers'
import { expect, test } from 'vitest'
import { deliveryAt } from '../src/contract.ts'
import { deploySuccessor } from '../src/deploy.ts'
import { parseChainLog } from '../src/log.ts'
import { createRandomActions, type Holdings } from './testing/random-actions.ts'
import { startStore } from './testing/store.ts'

const [MIN_STEPS, MAX_STEPS] = [120, 600]
const MOVES_PER_HOUR = 3
const seeds = process.env.SEEDS?.split(',').map(Number) ?? [1, 2, 3]

/** The state that the logs describe, and the moves per signer and hour. */
function createLedger() {
  const holdings: Holdings = { owners: new Map(), beneficiaries: new Map(), usedLines: [] }
  const moves = new Map<string, number>()
  const { owners, beneficiaries, usedLines } = holdings
  const counts = { delivered: 0, refused: 0, reverted: 0 }

  function apply(receipt: TransactionReceipt, at: number, contracts: { collection: string; delivery: string }) {
    const inThis = new Set<string>()
    for (const event of receipt.logs.flatMap((log) => parseChainLog(log, contracts) ?? [])) {
      if (event.name === 'transfer') owners.set(event.id, event.to)
      if (event.name === 'custody-in' || event.name === 'beneficiary-changed') {
        expect(event.account).not.toBe(ZeroHash)
        beneficiaries.set(event.id, event.account)
      }
      if (event.name === 'custody-out') beneficiaries.delete(event.id)
      if (event.name === 'delivered' || (event.name === 'beneficiary-changed' && !inThis.has(event.lineId))) {
        expect(usedLines, `line ${event.lineId} is used once`).not.toContain(event.lineId)
        usedLines.push(event.lineId)
        inThis.add(event.lineId)
        const hour = `${receipt.from} ${Math.floor(at / 3600)}`
        moves.set(hour, (moves.get(hour) ?? 0) + 1)
      }
      if (event.name === 'delivered') counts.delivered++
      if (event.name === 'refused') counts.refused++
    }
  }
  const maxMoves = () => Math.max(0, ...moves.values())
  /** Otherwise the sequence proves nothing. */
  const isCovered = () => Object.values(counts).every((count) => count > 3) && maxMoves() === MOVES_PER_HOUR
  return { holdings, maxMoves, isCovered, counts, apply }
}

test.each(seeds)('seed %i: owners, beneficiaries, lines and the limit hold in a random sequence', async (seed) => {
  const store = await startStore()
  const { collection, delivery, addresses, owner, provider } = store
  const { holdings, maxMoves, isCovered, counts, apply } = createLedger()
  const token = addresses.collection
  await (await store.deliveryAs(owner).setMovesPerHour(MOVES_PER_HOUR)).wait()
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
    if (receipt!.status === 0) counts.reverted++
    else apply(receipt!, (await provider.getBlock(receipt!.blockNumber))!.timestamp, addresses)
    if (random() < 0.05) await provider.send('evm_increaseTime', [Math.floor(random() * 7200)])
    if (step % 10 === 0) await checkState(`step ${step}, ${name}`)
  }
  const inCustody = await checkState('the end')
  expect(maxMoves()).toBeLessThanOrEqual(MOVES_PER_HOUR)
  expect(isCovered(), JSON.stringify(counts)).toBe(true)
  for (const line of holdings.usedLines) expect(await delivery.isLineUsed(line)).toBe(true)
  expect(inCustody.length).toBeGreaterThan(0)

  const successor = await deploySuccessor({
    provider,
    deployerKey: (await store.newWallet()).privateKey,
    ...addresses,
    signerAddress: store.signer.address,
    ownerAddress: owner.address,
  })
  await (await store.deliveryAs(owner).announceHandOver(successor)).wait()
  await provider.send('evm_increaseTime', [48 * 3600])
  const handed = await (await store.deliveryAs(owner).handOver(token, inCustody)).wait()
  const before = new Map(holdings.beneficiaries)
  apply(handed!, 0, addresses)
  apply(handed!, 0, { ...addresses, delivery: successor })
  expect(holdings.beneficiaries).toEqual(before)
  await checkState('the hand-over', deliveryAt(successor, provider))
})
