import { listMessages, type Messages, replayMessages } from '@nifty/api/messages'
import { type Command, lasting, many, table } from './command.ts'
import { NoAnswer, type Service, type Store, services } from './store.ts'

export const parkedCommands: Record<string, Command> = {
  parked: {
    usage: '[service]',
    about: 'events that a service could not deal with: which, since when, why; exit code 1 when one is given up',
    run: async (store, [only]) => {
      const asked = only ? [serviceOf(only)] : services
      const found = await Promise.all(asked.map(async (name) => ({ name, ...(await parkedOf(store, name)) })))
      return {
        text: found.map(inWords).join('\n\n'),
        well: found.every(({ parked }) => parked && parked.givenUp === 0),
      }
    },
  },
  replay: {
    usage: '<service> <message id, key, or all>',
    about: 'tries parked events at once, also those that were given up',
    changes: 'signed',
    run: async (store, [service = '', only = ''], signature) => {
      const { messages } = await store[serviceOf(service)](replayMessages, {
        body: {
          ...(only === 'all' ? {} : { only }),
          ...signature,
        },
      })
      return messages === 0
        ? 'Nothing of it is parked any more.'
        : `${many(messages, 'event')} tried again now. \`pnpm ops parked ${service}\` shows what comes of it.`
    },
  },
}

function serviceOf(name: string): Service {
  const service = services.find((known) => known === name)
  if (!service) throw new Error(`There is no service ${name}: ${services.join(', ')}`)
  return service
}

/** A service that is down keeps nobody from hearing about the others. */
export async function parkedOf(store: Store, name: Service): Promise<{ parked?: Messages; failed?: string }> {
  try {
    return { parked: await store[name](listMessages) }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { failed: error.message }
  }
}

function inWords({ name, parked, failed }: { name: string; parked?: Messages; failed?: string }): string {
  if (!parked) return `${name}: ${failed}`
  if (parked.total === 0) return `${name}: nothing is parked.`
  const rows = parked.messages.map(({ messageId, name, key, since, attempts, error, nextTryAt, givenUpAt }) => [
    messageId,
    name,
    key,
    lasting(since),
    givenUpAt ? `given up ${lasting(givenUpAt)} ago` : nextTry(nextTryAt),
    attempts,
    error?.replace(/^Error: /, '').replaceAll(/\s+/g, ' ') ?? 'waits behind another event of its key',
  ])
  const more = parked.total - parked.messages.length
  return [
    `${name}: ${many(parked.total, 'event')} parked, ${parked.givenUp} given up`,
    table([['message', 'event', 'key', 'since', 'state', 'attempts', 'error'], ...rows]),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n')
}

function nextTry(at: string | null) {
  const seconds = at ? Math.ceil((Date.parse(at) - Date.now()) / 1_000) : 0
  return seconds > 0 ? `next try in ${many(seconds, 'second')}` : 'is tried now'
}
