import { acknowledgeMails } from '@nifty/api/notification/ops'
import { acknowledgeAlarm } from '@nifty/api/payments/alarms'
import { acknowledgeDifference, acknowledgedKinds } from '@nifty/api/payments/ops'
import { plural } from '@nifty/api/plural'
import { type Command, type Options, parseTime } from './command.ts'
import { UsageError } from './store.ts'

type Acknowledgement = { by: string; at: string; reason: string; until: string | null }

export const describeAcknowledgement = ({ by, at, reason, until }: Acknowledgement) =>
  `acknowledged by ${by} at ${at}${until ? ` until ${until}` : ''}: ${reason}`

const options = { '--until <time>': 'it ends then, if not before; with a zone, such as 2026-11-30T09:00:00Z' }
const untilOf = ({ until }: Options = {}) =>
  until === undefined ? {} : { until: parseTime('--until', String(until)).toISOString() }

export const alarmCommands: Record<string, Command> = {
  acknowledge: {
    usage: '<alarm> <subject>',
    about: 'records that somebody deals with an alarm of `status`: no alert until its state changes or it comes back',
    changes: 'audited',
    options,
    run: async (store, [name, subject], action, _since, given) => {
      const { acknowledged } = await store.payments(acknowledgeAlarm, {
        body: { name: name!, subject: subject!, ...untilOf(given), ...action },
      })
      return `It is ${describeAcknowledgement(acknowledged!)}`
    },
  },
  'acknowledge difference': {
    usage: '<kind> <subject>',
    about: `records that somebody deals with a difference of \`reconcile\`, which does not count until its detail changes; <kind>: ${acknowledgedKinds.join(', ')}`,
    changes: 'audited',
    options,
    run: async (store, [kind, subject], action, _since, given) => {
      const known = acknowledgedKinds.find((each) => each === kind)
      if (!known) throw new UsageError(`The kind of a difference is ${acknowledgedKinds.join(', ')}, not ${kind}`)
      const { detail, acknowledged } = await store.payments(acknowledgeDifference, {
        body: { kind: known, subject: subject!, ...untilOf(given), ...action },
      })
      return `"${detail}" is ${describeAcknowledgement(acknowledged)}`
    },
  },
  'acknowledge mails': {
    usage: '',
    about: 'records that somebody deals with the mails that were given up or refused: no alert until there are more',
    changes: 'audited',
    run: async (store, _args, action) => {
      const { acknowledged } = await store.notification(acknowledgeMails, { body: action })
      return acknowledged === 0 ? 'No mail was given up or refused.' : `Acknowledged: ${plural(acknowledged, 'mail')}.`
    },
  },
}
