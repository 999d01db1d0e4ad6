import { acknowledgeMails } from '@nifty/api/notification/ops'
import { acknowledgeAlarm } from '@nifty/api/payments/alarms'
import type { Command } from './command.ts'
import { plural } from './format.ts'

export const alarmCommands: Record<string, Command> = {
  acknowledge: {
    usage: '<alarm> <subject>',
    about: 'records that somebody deals with an alarm of `status`: no alert until its state changes or it comes back',
    changes: 'audited',
    run: async (store, [name, subject], action) => {
      const { acknowledged } = await store.payments(acknowledgeAlarm, {
        body: { name: name!, subject: subject!, ...action },
      })
      return `Acknowledged by ${acknowledged!.by} at ${acknowledged!.at}: ${acknowledged!.reason}`
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
