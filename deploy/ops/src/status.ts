import { age } from '@nifty/api/age'
import { alertLimits } from '@nifty/api/alert-limits'
import { type ChainState, getStatus, type OpsStatus, type SignerStatus } from '@nifty/api/minting/ops'
import { purchaseRefusals } from '@nifty/api/minting/purchase-refusals'
import { getMailQueue, type MailQueue } from '@nifty/api/notification/ops'
import type { Alarm } from '@nifty/api/payments/alarms'
import { listDisputes, type OpenDispute } from '@nifty/api/payments/disputes'
import { isHeldTooLong, isHoldEnding } from '@nifty/api/payments/late-orders'
import { listOpenOrders, type OpenOrders } from '@nifty/api/payments/ops'
import { takesEvidence } from '@nifty/api/payments/takes-evidence'
import { plural } from '@nifty/api/plural'
import { type Program, programs, type ServiceName, serviceNames } from '@nifty/api/services'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { describeAcknowledgement } from './alarms.ts'
import type { Command } from './command.ts'
import { checkNewest } from './doctor/backup.ts'
import { folders } from './doctor/servers.ts'
import { euros, table } from './format.ts'
import { messagesOf } from './messages.ts'
import { NoResponse, type Store, UsageError } from './store.ts'

/** Longer than a service waits for its database or for the chain's node. */
const SECTION_MS = 30_000
const DAY_MS = 86_400_000

/** Alarms about a slow order; irrelevant once the order is complete. */
const slowOrderAlarms = ['delivery_slow', 'delivery_late']

const isOlder = (date: string | null | undefined, ms: number) => !!date && Date.now() - Date.parse(date) > ms
const isLate = (date: string | null | undefined, { seconds }: { seconds: number }) => isOlder(date, seconds * 1_000)

export const statusCommand: Command = {
  usage: '',
  about: 'prints what is stuck and for how long; exit code 1 when something is',
  json: true,
  run: async (store) => {
    const sections = await Promise.all([
      sectionOf('payments', async () => ordersSection(await store.payments(listOpenOrders))),
      sectionOf('payments', async () => disputesSection((await store.payments(listDisputes)).disputes)),
      sectionOf('minting', async () => chainSection(await store.minting(getStatus))),
      sectionOf('notification', async () => mailsSection(await store.notification(getMailQueue))),
      ...serviceNames.map((name) => sectionOf(name, () => eventsSection(store, name))),
      ...programs.map((name) => sectionOf(name, () => serversSection(store, name))),
      backupSection(process.env.BACKUP_DIR),
    ])
    const hidden = [...new Set(sections.flatMap((section) => section.hidden ?? []))]
    const rows = [...sections.flatMap((section) => section.rows), ...hidden.map((why) => ['Not shown', why])]
    const stuck = [...new Set(sections.flatMap((section) => section.stuck))]
    return {
      text: [
        ...(rows.length > 0 ? [table(rows), ''] : []),
        ...(stuck.length > 0 ? stuck.map((line) => `STUCK ${line}`) : [nothing(hidden)]),
      ].join('\n'),
      ok: stuck.length === 0,
      json: { stuck, state: rows.map(([what, text]) => ({ what, text })) },
    }
  },
}

/** `hidden`: why this operator may not read it. */
type Section = { rows: string[][]; stuck: string[]; hidden?: string }

const nothing = (hidden: string[]) => (hidden.length > 0 ? 'Nothing is stuck in what is shown.' : 'Nothing is stuck.')

/** A section that cannot be read is one line, and the others are shown. Settings that are missing are thrown. */
async function sectionOf(name: Program, read: () => Promise<Section>): Promise<Section> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`no response within ${SECTION_MS / 1_000} seconds.`)),
    SECTION_MS,
  )
  try {
    return await Promise.race([read(), late.promise])
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message } = error as Error
    if (error instanceof ExpectedError && error.code === 'role_required')
      return { rows: [], stuck: [], hidden: `${name}: ${message}` }
    return { rows: [], stuck: [error instanceof NoResponse ? message : `${name}: ${message}`] }
  } finally {
    clearTimeout(timer)
  }
}

/** The nightly backup of a one-process store. */
async function backupSection(folder: string | undefined): Promise<Section> {
  if (!folder) return { rows: [], stuck: [] }
  const { state, text } = await checkNewest(folder, folders, Date.now())
  return state === 'ok' ? { rows: [['Backup', text]], stuck: [] } : { rows: [], stuck: [`${text}.`] }
}

const seeRunbook = 'and the runbook NiftyOfferUndecided.'

/** What a program reports about the servers that it uses, and about what it has to end. */
async function serversSection(store: Store, name: Program): Promise<Section> {
  const text = await store.metricsOf(name)
  const isZero = (metric: string) => text?.split('\n').includes(`${metric} 0`) ?? false
  const metricOf = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text ?? '')?.[1] ?? 0)
  const [overdue, undecided] = [metricOf('nifty_offers_overdue_seconds'), metricOf('nifty_bids_undecided')]
  const auctionOverdue = metricOf('nifty_auctions_overdue_seconds')
  return {
    rows: [],
    stuck: [
      ...(isZero('nifty_collector_up{source="database"}')
        ? [`${name}: its database does not respond, or is overloaded.`]
        : []),
      ...(isZero('nifty_collector_up{source="transport"}') ? ['Kafka does not respond: events wait.'] : []),
      ...(isZero('nifty_market_cache_shared') || isZero('nifty_rate_limits_shared')
        ? ['Redis does not respond: each process caches and counts on its own.']
        : []),
      ...(isZero('nifty_processor_answers') ? ['the card processor does not respond, or with errors of its own.'] : []),
      ...(isZero('nifty_collector_up{source="pictures"}')
        ? [`${name}: the object storage does not respond, or refuses: no pictures.`]
        : []),
      ...(isZero('nifty_reconcile_balanced')
        ? ['the last reconciliation found a difference. See the runbook NiftyReconciliationFailed.']
        : []),
      ...(overdue > alertLimits.NiftyOfferUndecided.seconds
        ? [
            `an offer is ${plural(Math.floor(overdue / 60), 'minute')} past its end and open. See \`pnpm ops offers\` ${seeRunbook}`,
          ]
        : []),
      ...(auctionOverdue > alertLimits.NiftyAuctionUndecided.seconds
        ? [
            `an auction is ${plural(Math.floor(auctionOverdue / 60), 'minute')} past its end and not decided. See \`pnpm ops auctions\` and the runbook NiftyAuctionUndecided.`,
          ]
        : []),
      ...(undecided > 0
        ? [
            `the money of ${plural(undecided, 'offer')} past its end is neither taken nor given back. See \`pnpm ops orders\` ${seeRunbook}`,
          ]
        : []),
    ],
  }
}

function mailsSection({ waiting, oldest, sending, error, ...failed }: MailQueue): Section {
  const { failedLastDay, refusedLastDay, acknowledgedLastDay } = failed
  const since = oldest ? `, oldest for ${age(oldest)}` : ''
  const response = error ? ` Last error: ${error}` : ''
  const howToEnd = 'Dealt with: `pnpm ops acknowledge mails`.'
  return {
    rows: [
      [
        'Mails',
        `${waiting} waiting${since}, ${sending} of them being sent; in 24 hours ${failedLastDay} given up, ${refusedLastDay} refused, ${acknowledgedLastDay} acknowledged`,
      ],
    ],
    stuck: [
      ...(isLate(oldest, alertLimits.NiftyMailsStuck)
        ? [`${plural(waiting, 'mail')} waiting for ${age(oldest!)}.${response}`]
        : []),
      ...(failedLastDay > 0
        ? [`${plural(failedLastDay, 'mail')} given up within 24 hours.${response} ${howToEnd}`]
        : []),
      ...(refusedLastDay > alertLimits.NiftyMailsStuck.refused
        ? [`${plural(refusedLastDay, 'mail')} refused by the mail server within 24 hours.${response} ${howToEnd}`]
        : []),
    ],
  }
}

function ordersSection({ orders, alarms, undecided, openLines }: OpenOrders): Section {
  const states = openLines.map(({ name, count }) => `${count} ${name}`)
  const held = orders.filter((order) => isHeldTooLong(order))
  const open = new Set(orders.map(({ _id }) => _id))
  const current = alarms.filter(({ orderId, name, lastAt }) =>
    orderId && open.has(orderId) ? true : !slowOrderAlarms.includes(name) && !isOlder(lastAt, DAY_MS),
  )
  const earlier = alarms.length - current.length
  const [acknowledged, alarming] = [current.filter(isAcknowledged), current.filter((alarm) => !isAcknowledged(alarm))]
  return {
    rows: [
      ['Open order lines', states.join(', ') || 'none'],
      ...(earlier > 0 ? [['Alarms', `${plural(earlier, 'earlier one')} in 30 days`]] : []),
      ...acknowledged.map(({ acknowledged, ...alarm }) => [
        'Acknowledged',
        `${describeAlarm(alarm)} (${describeAcknowledgement(acknowledged!)})`,
      ]),
    ],
    stuck: [
      ...orders
        .filter((order) => isHoldEnding(order))
        .map(
          ({ _id, state, holdEndsAt }) =>
            `order ${_id} is ${state} and its card hold ends at ${holdEndsAt}: then it cannot be captured any more.`,
        ),
      ...held.map(
        ({ _id, state, since }) =>
          `order ${_id} has held money for ${age(since)} and is ${state}. See \`pnpm ops order ${_id}\`.`,
      ),
      ...undecided
        .filter(({ since }) => isOlder(since, DAY_MS))
        .map(
          ({ id, kind, orderId, withdrawn, since }) =>
            `nobody bears the ${kind} ${id} of ${euros(withdrawn)} for ${age(since)} (order ${orderId}): shares are held back until \`pnpm ops assign ${id} <platform or seller>\`.`,
        ),
      ...alarming.map(
        (alarm) => `${describeAlarm(alarm)}. Dealt with: \`pnpm ops acknowledge ${alarm.name} ${alarm.subject}\`.`,
      ),
    ],
  }
}

const isAcknowledged = ({ acknowledged }: Alarm) => acknowledged !== null

const describeAlarm = ({ name, orderId, detail, firstAt, times }: Omit<Alarm, 'acknowledged'>) =>
  `${name} for ${age(firstAt)}, ${plural(times, 'time')}${orderId ? ` (order ${orderId})` : ''}: ${detail}`

/** An answer is due until evidence was given; after that the bank decides. */
const needsAnswer = ({ kind, status }: OpenDispute) => kind === 'fraud_warning' || takesEvidence(status)

/** What an operator acknowledged is reported again on the last day on which the bank takes evidence. */
const isDue = ({ acknowledged, dueBy }: OpenDispute) =>
  !acknowledged || (dueBy !== null && Date.parse(dueBy) < Date.now() + DAY_MS)

function disputesSection(disputes: OpenDispute[]): Section {
  const unanswered = disputes.filter(needsAnswer)
  return {
    rows: disputes.length > 0 ? [['Disputes', `${disputes.length} open, ${unanswered.length} without an answer`]] : [],
    stuck: unanswered.filter(isDue).map(({ id, kind, status, orderId, since, dueBy }) => {
      const what = kind === 'fraud_warning' ? 'fraud warning' : status.startsWith('warning_') ? 'inquiry' : 'dispute'
      const until = dueBy ? `, evidence is taken until ${dueBy}` : ''
      return `${what} ${id} of order ${orderId} has been open for ${age(since)}${until}. See \`pnpm ops disputes\`.`
    }),
  }
}

function chainSection({
  signers,
  deliveries,
  mintsWaiting,
  chain,
  index,
  finality,
  auditFindings,
}: OpsStatus): Section {
  const behind = (index.finalBlock ?? 0) - (index.block ?? 0)
  const { oldest } = deliveries
  const oldestFor = oldest ? `, oldest for ${age(oldest.since)}` : ''
  const current = signers.filter(({ state, openTransactions }) => state !== 'retired' || openTransactions > 0)
  return {
    rows: [
      [
        'Delivery',
        `${deliveries.waiting} waiting, ${deliveries.signed} signed${oldestFor}; ${mintsWaiting} mints waiting`,
      ],
      ...current.map((signer) => ['Signer', describeSigner(signer)]),
      [
        'Chain',
        `indexed block ${index.block ?? '?'} of ${index.finalBlock ?? '?'} final ones${chain ? `; ${describeChain(chain)}` : ''}`,
      ],
    ],
    stuck: [
      ...current.flatMap(stuckSigner),
      ...(current.some(({ chainNonce }) => chainNonce === null) ? ['the chain node does not respond.'] : []),
      ...(chain && !chain.refusal && (chain.headAgeSeconds ?? 0) > alertLimits.NiftyFinalityLag.blockSeconds
        ? [`the chain is slow to produce blocks. ${describeChain(chain)}.`]
        : []),
      ...(chain?.refusal
        ? [`${purchaseRefusals[chain.refusal]}: new purchases are refused. ${describeChain(chain)}.`]
        : []),
      ...(current.some(maySign)
        ? []
        : ['no signer can sign: new purchases are refused, paid orders wait. See `pnpm ops signers list`.']),
      ...(oldest && isLate(oldest.since, alertLimits.NiftyDeliveryStuck) ? [describeOldest(oldest)] : []),
      ...(index.haltedReason ? [`the chain index is halted: ${index.haltedReason}`] : []),
      ...auditFindings.map(
        ({ hash, block, lines, mints }) =>
          `transaction ${hash} was final in block ${block} and is not there any more: ${describeWork(lines, mints)}. See the runbook NiftyFinalityBroken.`,
      ),
      ...(finality.waitSeconds > alertLimits.NiftyFinalityWaiting.seconds
        ? [`no new block has been final for ${Math.floor(finality.waitSeconds / 60)} minutes: ${finality.reason}.`]
        : []),
      ...(behind > alertLimits.NiftyFinalityLag.indexBlocks ? [`the chain index is ${behind} blocks behind.`] : []),
    ],
  }
}

const describeChain = ({ headAgeSeconds, indexAgeSeconds, baseFeeGwei, maxFeeGwei }: ChainState) =>
  `newest block ${secondsOf(headAgeSeconds)} old, indexed one ${secondsOf(indexAgeSeconds)}, base fee ${baseFeeGwei === null ? '?' : baseFeeGwei.toFixed(1)} of at most ${maxFeeGwei} gwei`

const secondsOf = (age: number | null) => (age === null ? '?' : `${Math.round(age)} s`)

function describeOldest({ lineId, state, since, note }: NonNullable<OpsStatus['deliveries']['oldest']>): string {
  const tried = state === 'signed' ? 'pays a higher fee' : 'tries it now'
  return `the delivery of line ${lineId} has been open for ${age(since)} and is ${state}${note ? ` (${note})` : ''}. \`pnpm ops retry-delivery ${lineId}\` ${tried}.`
}

/** Roles are unknown while the chain node does not respond, which is reported by itself. */
const maySign = ({ state, keyConfigured, haltedReason, roles }: SignerStatus) =>
  state === 'active' && keyConfigured && haltedReason === null && (!roles || (roles.collection && roles.delivery))

/** A stand-by does not: its key is elsewhere, or the contracts do not accept it yet. */
const spendsGas = ({ state, keyConfigured, roles }: Pick<SignerStatus, 'state' | 'keyConfigured' | 'roles'>) =>
  state === 'active' && keyConfigured && roles?.collection && roles.delivery

const describeWork = (lines: string[], mints: string[]) =>
  [...lines.map((id) => `line ${id}`), ...mints.map((id) => `mint ${id}`)].join(', ') || 'no line, no mint'

function describeSigner({ address, state, nextNonce, nonceGap, oldestOpen, balance }: SignerStatus): string {
  const left = balance ? `gas for ${describeGas(balance)}` : 'balance unknown'
  const open = oldestOpen ? `, oldest open for ${age(oldestOpen)}` : ''
  return `${address} ${state}, next nonce ${nextNonce}, gap ${nonceGap ?? '?'}${open}, ${left}`
}

const describeGas = ({ deliveriesLeft, hoursLeft }: NonNullable<SignerStatus['balance']>) =>
  `${plural(Math.floor(hoursLeft), 'hour')} at the present rate, ${Math.floor(deliveriesLeft)} deliveries`

function stuckSigner({
  address,
  state,
  haltedReason,
  haltedAt,
  oldestOpen,
  balance,
  ...signer
}: SignerStatus): string[] {
  const halted = `signer ${address} is halted${haltedAt ? ` for ${age(haltedAt)}` : ''}: ${haltedReason}`
  return [
    ...(haltedReason
      ? [
          `${halted}. Find the cause before you resume it (runbook NiftySignerHalted): if another program has the key, remove the signer instead.`,
        ]
      : []),
    ...(isLate(oldestOpen, alertLimits.NiftyTransactionStuck) && signer.nonceGap !== 0
      ? [`a transaction of signer ${address} has been in no block for ${age(oldestOpen!)}.`]
      : []),
    ...(!signer.keyConfigured && state !== 'retired' && signer.openTransactions > 0
      ? [
          `signer ${address} has ${plural(signer.openTransactions, 'open transaction')} and its key is not configured. If they stay, run \`pnpm ops signers remove ${address}\`.`,
        ]
      : []),
    ...(state === 'active' &&
    signer.keyConfigured &&
    signer.roles &&
    !(signer.roles.collection && signer.roles.delivery)
      ? [`signer ${address} is active, and the contracts do not accept it. See \`pnpm ops signers list\`.`]
      : []),
    ...(spendsGas({ ...signer, state }) && balance && balance.hoursLeft < alertLimits.NiftyGasLow.hours
      ? [`the balance of signer ${address} lasts for ${describeGas(balance)}. See the runbook NiftyGasLow.`]
      : []),
  ]
}

async function eventsSection(store: Store, name: ServiceName): Promise<Section> {
  const { messages: found, failed } = await messagesOf(store, name)
  if (!found) return { rows: [], stuck: [failed!] }
  const { total, deadLettered, unpublished, republishing, messages } = found
  const oldest = messages[0]
  return {
    rows:
      total > 0 || unpublished.count > 0 || republishing
        ? [
            [
              'Events',
              `${name}: ${plural(total, 'event')} in the retry queue, ${unpublished.count} unpublished${republishing ? ', events are being published again' : ''}`,
            ],
          ]
        : [],
    stuck: [
      ...(oldest && (deadLettered > 0 || isLate(oldest.since, alertLimits.NiftyEventsRetrying))
        ? [
            `${name} has ${plural(total, 'event')} in the retry queue for ${age(oldest.since)}, ${deadLettered} dead-lettered. See \`pnpm ops messages ${name}\`.`,
          ]
        : []),
      ...(isLate(unpublished.oldest, alertLimits.NiftyOutboxStuck)
        ? [`${name} has ${plural(unpublished.count, 'event')} unpublished for ${age(unpublished.oldest!)}.`]
        : []),
    ],
  }
}
