import type { OpsStatus } from '@nifty/api/minting'
import type { OpenOrders } from '@nifty/api/payments-ops'
import { type Command, lasting } from './command.ts'

export const statusCommand: Command = {
  usage: '',
  about: 'what is stuck, and since when, in words; exit code 1 when something is',
  run: async (store) => {
    const [chain, money] = await Promise.all([
      store.minting<OpsStatus>('GET', '/internal/ops/status'),
      store.payments<OpenOrders>('GET', '/internal/ops/orders'),
    ])
    const { lane, deliveries, mintsWaiting, balance, index } = chain
    const stuck = [
      ...(lane.halted ? [`The signer is halted: ${lane.halted}`] : []),
      ...(lane.chainNonce === null ? ['The chain does not answer.'] : []),
      ...(index.trouble ? [`The chain index: ${index.trouble}`] : []),
      ...money.alarms.map(
        ({ name, orderId, detail, firstAt }) =>
          `${name} for ${lasting(firstAt)}${orderId ? ` (order ${orderId})` : ''}: ${detail}`,
      ),
    ]
    return [
      `Orders    ${
        Object.entries(money.counts)
          .map(([state, count]) => `${count} ${state}`)
          .join(', ') || 'none yet'
      }`,
      `Delivery  ${deliveries.waiting} waiting, ${deliveries.signed} signed${deliveries.oldest ? `, oldest for ${lasting(deliveries.oldest)}` : ''}; ${mintsWaiting} mints waiting`,
      `Signer    ${lane.signer}, next nonce ${lane.nextNonce ?? '?'}, gap ${lane.nonceGap ?? '?'}${lane.oldestOpen ? `, oldest open for ${lasting(lane.oldestOpen)}` : ''}`,
      `Gas       ${balance ? `${Math.floor(balance.deliveriesLeft)} deliveries left` : 'unknown'}`,
      `Chain     block ${index.block ?? '?'}, final ${index.finalBlock ?? '?'}`,
      '',
      ...(stuck.length > 0 ? stuck.map((line) => `STUCK ${line}`) : ['Nothing is stuck.']),
    ].join('\n')
  },
  exitCode: (text) => (text.includes('\nSTUCK ') ? 1 : 0),
}
