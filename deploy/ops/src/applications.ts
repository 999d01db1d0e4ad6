import { age } from '@nifty/api/age'
import { answerSellerApplication, listSellerApplications } from '@nifty/api/auth/ops'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { printable } from './format.ts'
import { accountOf } from './lookup.ts'
import { UsageError } from './store.ts'

const former = (declined: number) => (declined > 0 ? `, declined ${plural(declined, 'time')} before` : '')
const answers: Record<string, boolean> = { grant: true, decline: false }

export const applicationCommands: Record<string, Command> = {
  applications: {
    usage: '',
    about: 'lists the applications of people who want to sell, oldest first',
    json: true,
    run: async (store) => {
      const { applications, waiting } = await store.auth(listSellerApplications)
      if (waiting === 0) return { text: 'No application waits.', ok: true, json: applications }
      const texts = applications.map(
        ({ applicationId, name, username, email, links, message, createdAt, declinedBefore }) =>
          [
            `${printable(`${name} (${username}) <${email}>`)}, ${age(createdAt)} ago${former(declinedBefore)}`,
            `  application ${applicationId}`,
            ...[...links, ...message.split('\n')].map((line) => `  ${printable(line)}`),
          ].join('\n'),
      )
      const more = waiting > applications.length ? [`The oldest ${applications.length} of ${waiting}.`] : []
      return { text: [...texts, ...more].join('\n\n'), ok: true, json: applications }
    },
  },
  'answer-application': {
    usage: '<account> <application id> <grant or decline> [text for the applicant]',
    about: 'answers the application of an account by mail; grant lets it mint and sell',
    changes: 'audited',
    run: async (store, [account, applicationId, word, answer = ''], action) => {
      const grant = answers[word!]
      if (grant === undefined) throw new UsageError(`The answer is grant or decline, not ${word}`)
      const { email } = await accountOf(store, account!)
      await store.auth(answerSellerApplication, {
        body: { email, applicationId: applicationId!, grant, answer, ...action },
      })
      return grant ? `${email} may mint and sell.` : `The application of ${email} is declined.`
    },
  },
}
