import { expect, test } from 'vitest'
import { giftAddressOf } from './cast/gift-address.ts'
import { questions } from './checker.ts'
import type { MailRecord } from './mail/record.ts'
import type { World } from './world.ts'

const ask = (name: string, world: object) => {
  const question = questions.find((each) => each.name.startsWith(name))!
  return question.ask(world as World)
}

const [seller, buyer, signer, contract] = ['0x5e', '0xb0', '0x51', '0xc0']
const token = `${contract}/7`

/** A store with one work, in this wallet by a transaction of this sender, and one order with these captures. */
function storeWith({ owner, sender, captures = [], kind = 'plain' }: Held) {
  const delivered = sender === signer ? [{ line: 'line', token, to: owner, account: null, hash: '0x1' }] : []
  return {
    histories: [
      {
        kind,
        orderId: 'order',
        cart: [{ contract, identifier: '7', seller: { userId: 'seller', wallet: { address: seller } } }],
      },
    ],
    chain: {
      holdings: new Map([[token, { owner, account: null, hash: '0x1' }]]),
      transactions: [{ hash: '0x1', from: sender }],
      delivered,
      claims: [],
    },
    ledger: captures.map((amount) => ({ kind: 'captured', reference: 'order', amount })),
    databases: {
      payments: { line: [{ id: 'line', order_id: 'order', price_cents: 500 }] },
      minting: { custody_account: [], gift: [] },
    },
  }
}
type Held = { owner: string; sender: string; captures?: number[]; kind?: string }

test('a token that left needs one capture of its price, unless its owner moved it or the hold was ended', () => {
  const found = (held: Held) => ask('chain: no token left without its payment', storeWith(held))
  expect(found({ owner: buyer, sender: signer, captures: [500] })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: buyer, sender: seller })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: buyer, sender: signer, kind: 'hold ended' })).toEqual({ rows: 1, wrong: [] })
  expect(found({ owner: seller, sender: signer }).rows).toBe(0)
  for (const captures of [[], [499], [500, 500]])
    expect(found({ owner: buyer, sender: signer, captures }).wrong, String(captures)).toHaveLength(1)
  expect(found({ owner: buyer, sender: '0xee', captures: [500] }).wrong[0]?.what).toContain('by no order')
})

const record = (changes: Partial<MailRecord>): MailRecord => ({ faults: [], attempts: [], pauses: [], ...changes })
const attempt = (from: number, changes: object = {}) => ({ messageId: 'one', from, storedIt: true, ...changes })
const refusals = [{ fault: 'RCPT: no such mailbox', from: 0, to: 1, final: '(mail 3)' }]

test('a mail is attempted no more once it was taken or refused for good, but after any other answer', () => {
  const wrong = (first: object) => {
    const mailRecord = record({ faults: refusals, attempts: [attempt(1, first), attempt(2)] })
    return ask('mails: none is attempted again', { mailRecord }).wrong.length
  }
  expect(wrong({ taken: true })).toBe(1)
  expect(wrong({ taken: false, response: '550 5.1.1 no such mailbox (mail 3)' })).toBe(1)
  expect(wrong({ taken: false, response: '451 4.3.0 later (mail 4)' })).toBe(0)
  expect(wrong({ taken: false })).toBe(0)
  // Its process was killed before it could store the response.
  expect(wrong({ taken: true, storedIt: false })).toBe(0)
})

test('a mail that was not sent is right only where the mail server refused it for good', () => {
  const wrong = (mail: object) => {
    const unsent = { sent_at: null, claimed_at: null, template: 'purchased', failure: null, error: null, ...mail }
    const world = { mailRecord: record({ faults: refusals }), databases: { notification: { mail: [unsent] } } }
    return ask('mails: every mail was sent', world).wrong.length
  }
  expect(wrong({})).toBe(1)
  expect(wrong({ failure: 'refused', error: 'EENVELOPE RCPT TO 550 5.1.1 no such mailbox (mail 3)' })).toBe(0)
  expect(wrong({ failure: 'refused', error: 'EENVELOPE RCPT TO 554 5.7.1 relaying denied (mail 4)' })).toBe(1)
  expect(wrong({ failure: 'attempts', error: '(mail 3)' })).toBe(1)
})

test('a gift whose link was made has its mail, unless it ended before the mail was sent', () => {
  const address = giftAddressOf({ place: 3 })
  const isWrong = (state: string, mails: number, taken: string[] = []) => {
    const mail = { template: 'gift', subject_id: 'gift.1', recipient: address }
    const databases = {
      minting: {
        gift: [{ id: 'gift', order_id: 'order', state, offered_at: '2026' }],
        gift_link: [{ gift_id: 'gift' }],
      },
      notification: { mail: Array(mails).fill(mail) },
    }
    const mailbox = taken.map((recipient) => ({ to: [{ address: recipient }] }))
    const world = { histories: [{ orderId: 'order', place: 3 }], databases, mails: mailbox }
    return ask('gifts: each paid one has one link', world).wrong.length === 1
  }
  for (const state of ['offered', 'claimed', 'taken_back', 'refunded', 'lapsed', 'ended'])
    expect(
      [1, 2].map((mails) => isWrong(state, mails)),
      state,
    ).toEqual([false, true])
  expect(['offered', 'claimed'].map((state) => isWrong(state, 0))).toEqual([true, true])
  expect(['taken_back', 'lapsed'].map((state) => isWrong(state, 0))).toEqual([false, false])
  // Its process was killed when the mail server had taken it.
  expect(['offered', 'claimed'].map((state) => isWrong(state, 0, [address]))).toEqual([true, false])
  expect(isWrong('claimed', 0, [giftAddressOf({ place: 4 })])).toBe(true)
})

const anOffer = { order_id: 'order', item_id: 'item', state: 'ended', why: 'delivered' }

/** A store with one offer of 400 cents, its order, and what the processor and its ledger have of it. */
function storeWithOffer({ offers = [anOffer], line = 'completed', captured = 400, intent = 'succeeded' } = {}) {
  return {
    histories: [{ orderId: 'order', offeredCents: 400 }],
    ledger: captured ? [{ kind: 'captured', reference: 'order', amount: captured }] : [],
    processor: { intents: [{ id: 'pi', status: intent }] },
    databases: {
      catalog: { offer: offers },
      payments: {
        orders: [{ id: 'order', order_kind: 'offer', session_id: 'cs', intent_id: 'pi' }],
        line: [{ id: 'line', order_id: 'order', state: line }],
      },
    },
  }
}

test('an offer is accepted, delivered and charged as it was made, or it ended and its card is free', () => {
  const wrong = (changes: Parameters<typeof storeWithOffer>[0]) =>
    questions
      .filter(({ name }) => name.startsWith('offers:'))
      .flatMap(({ ask }) => ask(storeWithOffer(changes) as never).wrong)
      .map(({ what }) => what)
  const released = { offers: [{ ...anOffer, why: 'declined' }], line: 'released', captured: 0, intent: 'canceled' }
  expect(wrong({})).toEqual([])
  expect(wrong(released)).toEqual([])
  expect(wrong({ captured: 401 })).toEqual(['charged 401 cents of 400'])
  expect(wrong({ ...released, captured: 400 })).toEqual(['charged 400 cents of 0'])
  expect(wrong({ ...released, intent: 'requires_capture' })).toEqual(['its hold is requires_capture'])
  expect(wrong({ ...released, offers: [{ ...anOffer, state: 'open' }] })).toEqual(['is open'])
  expect(wrong({ ...released, offers: [anOffer] })).toEqual(['ended as delivered, arrived: false'])
  expect(wrong({ offers: [anOffer, { ...anOffer, order_id: 'other' }] })).toContain('2 are delivered')
  expect(wrong({ offers: [] })).toContain('catalog has none')
})

const aBid = { order_id: 'order', auction_id: 'auction', state: 'won', limit_cents: 900, stood_at: '2026' }
const anAuction = { id: 'auction', state: 'sold', price_cents: 400, leader_order: 'order' }

/** A store with one auction, which an order has won at 400 cents, and what the processor and its ledger have of it. */
const storeWithAuction = ({ bids = [aBid], auction = {}, captured = 400, intent = 'succeeded' } = {}) => ({
  histories: bids.map(({ order_id, limit_cents }) => ({ orderId: order_id, limitCents: limit_cents })),
  ledger: captured ? [{ kind: 'captured', reference: 'order', amount: captured }] : [],
  processor: { intents: [{ id: 'pi', status: intent }] },
  databases: {
    catalog: { auction: [{ ...anAuction, ...auction }], bid: bids },
    payments: { orders: [{ id: 'order', order_kind: 'bid', session_id: 'cs', intent_id: 'pi' }] },
  },
})

test('an auction has one winner, who is charged its price, and nobody else has a card held', () => {
  const wrong = (changes: Parameters<typeof storeWithAuction>[0]) =>
    questions
      .filter(({ name }) => name.startsWith('auctions:'))
      .flatMap(({ ask }) => ask(storeWithAuction(changes) as never).wrong)
      .map(({ what }) => what)
  const lost = { ...aBid, state: 'ended' }
  const unsold = { auction: { state: 'unsold', price_cents: null, leader_order: null }, bids: [lost], captured: 0 }
  expect(wrong({})).toEqual([])
  expect(wrong({ ...unsold, intent: 'canceled' })).toEqual([])
  expect(wrong(unsold)).toEqual(['its hold is succeeded'])
  expect(wrong({ captured: 900 })).toEqual(['charged 900 cents of 400, at most 900'])
  expect(wrong({ auction: { price_cents: 1_000 }, captured: 1_000 })).toEqual([
    'charged 1000 cents of 1000, at most 900',
  ])
  expect(wrong({ auction: { state: 'awarded' }, captured: 0 })).toEqual(['is awarded'])
  expect(wrong({ bids: [{ ...aBid, state: 'leading' }], captured: 0 })).toEqual(['is leading', '0 bids have won'])
  expect(wrong({ bids: [aBid, { ...lost, order_id: 'other', limit_cents: 950 }] })).toEqual([
    'won with 900 cents of 950',
  ])
  expect(wrong({ bids: [] })).toContain('catalog has none')
})

const person = { userId: 'buyer', email: 'buyer@storm.example' }
const owner = { userId: 'owner', email: 'owner@storm.example' }

type Told = { mails?: object[]; states?: string[]; money?: string; kind?: string; orderKind?: string; state?: string }

/** A store with one order of an offer or a bid, an auction, and the mails about them, each with one copy. */
function storeWithMails(told: Told) {
  const { mails = [], states = ['held', 'released'], money = 'released', kind = 'plain' } = told
  const stored = mails.map((mail, place) => ({ subject_id: 'order', message_id: `m${place}`, failure: null, ...mail }))
  return {
    histories: [{ orderId: 'order', kind, person, cart: [{ seller: owner }] }],
    mails: stored.map(({ message_id }) => ({ headers: { 'message-id': `<${message_id}@storm>` } })),
    mailRecord: record({}),
    databases: {
      catalog: {
        auction: [{ id: 'auction', state: told.state ?? 'sold', seller_id: 'owner' }],
        offer: [{ order_id: 'order', owner_id: 'owner', ends_at: '2026' }],
      },
      notification: { mail: stored },
      payments: {
        orders: [{ id: 'order', order_kind: told.orderKind ?? 'bid', money, buyer_id: 'buyer' }],
        line: [{ id: 'line', order_id: 'order' }],
        line_history: states.map((to_state) => ({ line_id: 'line', to_state })),
      },
    },
  }
}
const mailTo = ({ email }: { email: string }, template: string) => ({ template, recipient: email, claimed_at: null })

test('a buyer has one mail about an offer or a bid: of its end once its card was held, or the confirmation', () => {
  const wrong = (templates: string[], told: Told = {}, to = person) => {
    const mails = templates.map((template) => mailTo(to, template))
    return ask('mails: the buyer of each offer', storeWithMails({ ...told, mails })).wrong.map(({ what }) => what)
  }
  const won = { states: ['held', 'authorised', 'completed'], money: 'captured' }
  expect(wrong(['outbid'])).toEqual([])
  expect(wrong(['bid-ended'])).toEqual([])
  expect(wrong(['offer-ended'], { orderKind: 'offer' })).toEqual([])
  expect(wrong(['order-placed'], won)).toEqual([])
  expect(wrong([], { states: ['released'], money: 'none' })).toEqual([])
  // Paid while its page was closed; and of an account that is deleted.
  for (const templates of [[], ['bid-ended']]) {
    expect(wrong(templates, { states: ['released'] })).toEqual([])
    expect(wrong(templates, { kind: 'account deleted' })).toEqual([])
  }
  expect(wrong([])).toEqual(['bid: mails '])
  expect(wrong(['outbid', 'bid-ended'])).toEqual(['bid: mails outbid,bid-ended'])
  expect(wrong(['order-placed'])).toEqual(['bid: mails order-placed'])
  expect(wrong(['bid-ended'], { orderKind: 'offer' })).toEqual(['offer: mails '])
  expect(wrong([], won)).toEqual(['bid: mails '])
  expect(wrong(['order-placed', 'outbid'], won)).toEqual(['bid: mails order-placed,outbid'])
  expect(wrong(['bid-ended'], { states: ['released'], money: 'none' })).toEqual(['bid: mails bid-ended'])
  expect(wrong(['outbid'], {}, owner)).toEqual(['outbid went to somebody else'])
})

test('a buyer has at most one mail about a hold, and none without one', () => {
  const wrong = (templates: string[], told: Told = {}, to = person) => {
    const mails = templates.map((template) => mailTo(to, template))
    return ask('mails: the buyer of each offer and bid got at most one', storeWithMails({ ...told, mails })).wrong.map(
      ({ what }) => what,
    )
  }
  expect([wrong([]), wrong(['bid-held']), wrong(['outbid'])]).toEqual([[], [], []])
  expect(wrong(['bid-held', 'bid-held'])).toEqual(['bid: 2 mails about its hold'])
  expect(wrong(['bid-held'], { states: ['released'] })).toEqual(['bid: 1 mails about its hold'])
  expect(wrong(['bid-held'], {}, owner)).toEqual(['bid-held went to somebody else'])
})

test('an owner has the mail of an open offer, and a seller those of an outcome, each with its copies', () => {
  const aboutOffer = (mail: object) => ask('mails: the owner', storeWithMails({ mails: [mail] })).wrong.length
  const received = mailTo(owner, 'offer-received')
  expect(aboutOffer(received)).toBe(0)
  expect(aboutOffer(mailTo(person, 'offer-received'))).toBe(1)
  expect(aboutOffer({ ...received, subject_id: 'other' })).toBe(1)
  const aboutAuction = (state: string, ...templates: string[]) => {
    const mails = templates.map((template) => ({ ...mailTo(owner, template), subject_id: 'auction' }))
    return ask('mails: the seller of each auction', storeWithMails({ state, mails })).wrong.length
  }
  expect(aboutAuction('sold', 'auction-awarded')).toBe(0)
  expect(aboutAuction('failed', 'auction-failed', 'auction-awarded')).toBe(0)
  expect(aboutAuction('cancelled')).toBe(0)
  expect(aboutAuction('sold')).toBe(1)
  expect(aboutAuction('cancelled', 'auction-unsold')).toBe(1)
  expect(aboutAuction('sold', 'auction-awarded', 'auction-awarded')).toBe(1)
  const world = storeWithMails({ mails: [{ ...mailTo(owner, 'auction-awarded'), subject_id: 'auction', sent_at: 1 }] })
  for (const copies of [0, 4])
    expect(
      ask('mails: the seller of each auction', { ...world, mails: Array(copies).fill(world.mails[0]) }).wrong,
      `${copies} copies`,
    ).toHaveLength(1)
})

test('an offer or a bid whose bank ended the hold ended for that reason, in catalog and in payments', () => {
  const wrong = (why: string, note: string, bid?: object) => {
    const databases = {
      catalog: { offer: [{ order_id: 'order', why }], bid: bid ? [{ order_id: 'order', ...bid }] : [] },
      payments: { line: [{ order_id: 'order', note }] },
    }
    const lost = bid ? { bid: { ending: 'lost' } } : { offer: { ending: 'lost' } }
    return ask('offers: one, or a bid', { histories: [{ orderId: 'order', ...lost }], databases }).wrong.length
  }
  expect(wrong('hold_lost', 'hold_lost')).toBe(0)
  expect(wrong('not_held', 'hold_lost', { why: 'hold_lost' })).toBe(0)
  expect(wrong('not_held', 'hold_lost')).toBe(1)
  expect(wrong('hold_lost', 'outbid')).toBe(1)
  expect(wrong('hold_lost', 'hold_lost', { why: 'outbid' })).toBe(1)
})

test('a transaction that is open for as long as a mail server is silent is wrong, except of a stopped process', () => {
  const found = (openMs: number, pauses: MailRecord['pauses'] = []) => {
    const mailRecord = record({ faults: [{ fault: 'text: no response', from: 1_000 }], pauses })
    const transactions = [500, 30_000].map((at) => ({ at, openMs }))
    return ask('mails: no transaction of notification', { mailRecord, transactions })
  }
  expect(found(200)).toEqual({ rows: 1, wrong: [] })
  expect(found(25_000).wrong).toHaveLength(1)
  expect(found(25_000, [{ from: 6_000, to: 12_000 }]).wrong).toHaveLength(0)
})
