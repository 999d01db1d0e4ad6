import { expect, test } from 'vitest'
import { isRevoked, maySign, rankSigners, type SignerQueue } from './signer.ts'

const limits = { maxUnmined: 3, maxNotFinal: 6 }
const idle = { unmined: 0, notFinal: 0, oldestUnmined: null, isFunded: true }
const at = (seconds: number) => new Date(seconds * 1000)

test('a signer that is stuck comes after one whose oldest unmined nonce is younger, and after one without any', () => {
  const stuck = { ...idle, address: 'stuck', unmined: 1, notFinal: 1, oldestUnmined: at(10) }
  const busy = { ...idle, address: 'busy', unmined: 2, notFinal: 2, oldestUnmined: at(50) }
  const free = { ...idle, address: 'free', notFinal: 5 }
  expect(rankSigners([stuck, busy, free], limits)).toEqual(['free', 'busy', 'stuck'])
})

test('among signers that are not stuck the one with the fewest open transactions signs', () => {
  expect(
    rankSigners(
      [
        { ...idle, address: 'a', notFinal: 4 },
        { ...idle, address: 'b', notFinal: 2 },
      ],
      limits,
    ),
  ).toEqual(['b', 'a'])
})

test('a signer whose gas money pays only for a part comes last, and still signs when it is the only one', () => {
  const poor = { ...idle, address: 'poor', isFunded: false }
  const stuck = { ...idle, address: 'stuck', unmined: 1, notFinal: 1, oldestUnmined: at(1) }
  expect(rankSigners([poor, stuck], limits)).toEqual(['stuck', 'poor'])
  expect(rankSigners([poor], limits)).toEqual(['poor'])
})

test('a signer at one of its limits signs nothing', () => {
  expect(rankSigners([{ ...idle, address: 'a', unmined: 3, notFinal: 3 }], limits)).toEqual([])
  expect(rankSigners([{ ...idle, address: 'a', notFinal: 6 }], limits)).toEqual([])
  expect(rankSigners([{ ...idle, address: 'a', unmined: 2, notFinal: 5 }], limits)).toEqual(['a'])
})

test('a signer is revoked only by a block that is not older than its last signature, and by both contracts', () => {
  const none = { collection: false, delivery: false }
  const signed = { state: 'active', roleBlock: 100 }
  expect(isRevoked(signed, { number: 100, roles: none })).toBe(true)
  expect(isRevoked(signed, { number: 99, roles: none })).toBe(false)
  expect(isRevoked(signed, { number: 200, roles: { collection: true, delivery: false } })).toBe(false)
  expect(isRevoked(signed, { number: 200, roles: { collection: false, delivery: true } })).toBe(false)
  expect(isRevoked({ state: 'active', roleBlock: null }, { number: 200, roles: none })).toBe(false)
  expect(isRevoked({ state: 'draining', roleBlock: null }, { number: 200, roles: none })).toBe(true)
})

type Line = { id: number; token: number; transaction?: Sent; done: boolean }
type Sent = { nonce: number; state: 'signed' | 'mined' | 'final'; signedAt: Date; lines: Line[] }
type Signer = { address: string; state: string; haltedReason: string | null; next: number; sent: Sent[] }

/** A store of some signers and lines, with the locks and the unique indexes of the database. */
function createStore(random: (below: number) => number) {
  const signers: Signer[] = Array.from({ length: 1 + random(3) }, (_, n) => ({
    address: `s${n}`,
    state: 'active',
    haltedReason: null,
    next: random(5),
    sent: [],
  }))
  const lines: Line[] = []
  let now = 0
  const queueOf = (signer: Signer): SignerQueue => {
    const { address, sent } = signer
    const unmined = unminedOf(signer)
    const oldestUnmined = unmined.map(({ signedAt }) => signedAt).sort((one, other) => +one - +other)[0] ?? null
    const notFinal = sent.filter(({ state }) => state !== 'final').length
    return { address, unmined: unmined.length, notFinal, oldestUnmined, isFunded: random(8) > 0 }
  }
  const isSigned = (token: number) => lines.some((line) => line.token === token && line.transaction)

  /** What a replica has read; others may have signed since. */
  const plan = () => {
    const tokens = new Set<number>()
    const due = lines.filter(({ token, done, transaction }) => {
      if (done || transaction || isSigned(token) || tokens.has(token)) return false
      return tokens.add(token)
    })
    return { ranked: rankSigners(signers.filter(maySign).map(queueOf), limits), due: due.slice(0, 1 + random(4)) }
  }
  const sign = ({ ranked, due }: ReturnType<typeof plan>) => {
    const signer = signers.find(({ address }) => address === ranked[0])
    if (!signer || !maySign(signer) || due.length === 0) return
    // The transaction of the database is rolled back as a whole.
    if (due.some(({ done, transaction, token }) => done || transaction || isSigned(token))) return
    const sent: Sent = { nonce: signer.next++, state: 'signed', signedAt: at(now++), lines: due }
    signer.sent.push(sent)
    for (const line of due) line.transaction = sent
  }
  const end = (sent: Sent, outcome: 'delivered' | 'put back') => {
    sent.state = 'final'
    for (const line of sent.lines) {
      line.transaction = undefined
      line.done = outcome === 'delivered'
    }
  }
  const advance = (signer: Signer) => {
    const [first] = signer.sent.filter(({ state }) => state === 'signed')
    const mined = signer.sent.find(({ state }) => state === 'mined')
    if (random(2) === 0 && first) first.state = 'mined'
    else if (mined) end(mined, random(4) > 0 ? 'delivered' : 'put back')
  }
  const retire = (signer: Signer) => {
    signer.state = 'retired'
    for (const sent of signer.sent) if (sent.state === 'signed') end(sent, 'put back')
  }
  return { signers, lines, plan, sign, advance, retire }
}

/** Linear congruential generator of 32 bits: a failing schedule is repeated by its seed. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function violationsOf(signers: Signer[]): string[] {
  const open = signers.flatMap(({ sent }) => sent).filter(({ state }) => state !== 'final')
  const lines = open.flatMap((sent) => sent.lines)
  return [
    ...(isUnique(lines.map(({ token }) => token)) ? [] : ['a token is signed twice']),
    ...(isUnique(lines.map(({ id }) => id)) ? [] : ['a line has two open transactions']),
    ...(signers.every(({ sent }) => isUnique(sent.map(({ nonce }) => nonce))) ? [] : ['a nonce is used twice']),
    // Each of the two replicas may have read the count before the other one signed.
    ...(signers.every((signer) => unminedOf(signer).length <= limits.maxUnmined + 1) ? [] : ['above the limit']),
  ]
}
const isUnique = (values: number[]) => new Set(values).size === values.length
const unminedOf = ({ sent }: Signer) => sent.filter(({ state }) => state === 'signed')

test('10,000 random schedules: a token is signed once at a time, a line has one open transaction, a nonce is used once', () => {
  let signed = 0
  const violations: string[] = []
  for (let seed = 0; seed < 10_000; seed++) {
    const random = randomOf(seed)
    const { signers, lines, plan, sign, advance, retire } = createStore(random)
    const stale = [plan(), plan()]
    for (let step = 0; step < 40; step++) {
      const signer = signers[random(signers.length)]!
      const action = random(20)
      if (action < 6) lines.push({ id: lines.length, token: random(6), done: false })
      else if (action < 9) stale[random(2)] = plan()
      else if (action < 13) sign(stale[random(2)]!)
      else if (action < 18) advance(signer)
      else if (action === 18) signer.haltedReason = signer.haltedReason ? null : 'foreign nonce'
      else if (random(4) === 0) retire(signer)

      for (const violation of violationsOf(signers)) violations.push(`seed ${seed}, step ${step}: ${violation}`)
      signed += action >= 9 && action < 13 ? 1 : 0
    }
  }
  expect(violations).toEqual([])
  expect(signed).toBeGreaterThan(10_000)
})
