import { age } from '@nifty/api/age'
import { discardMessage, listMessages, type Messages, replayMessages, republishMessages } from '@nifty/api/messages'
import { plural } from '@nifty/api/plural'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import type { Command } from './command.ts'
import { table } from './format.ts'
import { NoResponse, type Store, UsageError } from './store.ts'

export const messageCommands: Record<string, Command> = {
  messages: {
    usage: '[service]',
    about:
      'lists events in the retry queue and dead letters, with their errors; exit code 1 when there is a dead letter',
    json: true,
    run: async (store, [only]) => {
      const names = only ? [parseServiceName(only)] : serviceNames
      const found = await Promise.all(names.map(async (name) => ({ name, ...(await messagesOf(store, name)) })))
      return {
        text: found.map(printed).join('\n\n'),
        ok: found.every(({ messages }) => messages?.deadLettered === 0),
        json: found,
      }
    },
  },
  replay: {
    usage: '<service> <message id, key, or all>',
    about: 'retries events of the retry queue at once, dead letters included',
    changes: 'audited',
    run: async (store, [service = '', only = ''], action) => {
      const { messages, unknownVersion = 0 } = await store[parseServiceName(service)](replayMessages, {
        body: { ...(only === 'all' ? {} : { only }), ...action },
      })
      const lines = [
        ...(messages > 0
          ? [`${plural(messages, 'event')} will be retried now. \`pnpm ops messages ${service}\` shows the result.`]
          : []),
        ...(unknownVersion > 0
          ? [
              `${plural(unknownVersion, 'event')} not retried: this release of ${service} does not know the version. Update it (runbook NiftyEventsUnknownVersion).`,
            ]
          : []),
      ]
      return { text: lines.join('\n') || 'The retry queue is empty.', ok: unknownVersion === 0 }
    },
  },
  discard: {
    usage: '<service> <message id>',
    about: 'removes a dead letter that can never be handled; its effect stays missing in this service',
    changes: 'audited',
    run: async (store, [service = '', messageId = ''], action) => {
      const { event } = await store[parseServiceName(service)](discardMessage, { body: { messageId, ...action } })
      return event ? `${event.name} of ${event.key} is discarded.` : 'The event is not in the retry queue any more.'
    },
  },
  republish: {
    usage: '<service, or all>',
    about: 'publishes again what a service has published since --since TIME, for consumers that have lost it',
    changes: 'audited',
    since: true,
    run: async (store, [service = ''], action, since) => {
      const names = service === 'all' ? serviceNames : [parseServiceName(service)]
      const lines: string[] = []
      let ok = true
      for (const name of names) {
        try {
          const { messages } = await store[name](republishMessages, {
            body: { since: since!.toISOString(), ...action },
          })
          lines.push(`${name}: ${plural(messages, 'event')} since ${since!.toISOString()} will be published again.`)
        } catch (error) {
          if (!(error instanceof NoResponse)) throw error
          lines.push(`${name}: ${error.message} Nothing is published again; repeat the command for it.`)
          ok = false
        }
      }
      return { text: lines.join('\n'), ok }
    },
  },
}

function parseServiceName(name: string): ServiceName {
  const service = serviceNames.find((each) => each === name)
  if (!service) throw new UsageError(`Unknown service ${name}. Services: ${serviceNames.join(', ')}`)
  return service
}

/** A service that does not respond gives an error text, so that the others are still listed. */
export async function messagesOf(store: Store, name: ServiceName): Promise<{ messages?: Messages; failed?: string }> {
  try {
    return { messages: await store[name](listMessages) }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return { failed: error.message }
  }
}

function printed({ name, messages, failed }: { name: string; messages?: Messages; failed?: string }): string {
  if (!messages) return `${name}: ${failed}`
  const { total, deadLettered } = messages
  if (total === 0) return `${name}: the retry queue is empty.`
  const rows = messages.messages.map(
    ({ messageId, name, key, since, attempts, error, nextAttemptAt, deadLetteredAt, unknownVersion }) => [
      messageId,
      name,
      key,
      age(since),
      unknownVersion
        ? 'waits for a release that knows its version'
        : deadLetteredAt
          ? `dead letter for ${age(deadLetteredAt)}`
          : nextAttempt(nextAttemptAt),
      attempts,
      error?.replace(/^Error: /, '').replaceAll(/\s+/g, ' ') ?? 'waits behind another event of its key',
    ],
  )
  const more = total - messages.messages.length
  return [
    `${name}: ${plural(total, 'event')} in the retry queue, ${deadLettered} of them dead-lettered`,
    table([['message', 'event', 'key', 'age', 'state', 'attempts', 'error'], ...rows]),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n')
}

function nextAttempt(at: string | null) {
  const seconds = at ? Math.ceil((Date.parse(at) - Date.now()) / 1_000) : 0
  return seconds > 0 ? `next attempt in ${plural(seconds, 'second')}` : 'next attempt now'
}
