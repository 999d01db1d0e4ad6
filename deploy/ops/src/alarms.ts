import { acknowledgeAlarm } from '@nifty/api/payments/alarms'
import type { Command } from './command.ts'

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
}
