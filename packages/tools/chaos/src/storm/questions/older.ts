import type { ServiceName } from '@nifty/api/services'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import type { World } from '../world.ts'
import type { Question } from './question.ts'

/** By which service, and with the ids of the lines that the next version's processes note. */
const publishers = { [orderLineAuthorised.name]: 'payments', [deliveryFinal.name]: 'minting' } as const

/** Of one program the former version and the next one have run, and each has read events of the other programs. */
export const olderQuestion = (program: ServiceName): Question => ({
  name: `versions: both of ${program} have read events`,
  ask: (world) => {
    const lines = consumedLines(world, program)
    // With the name: the next version also reads the second version of an event that the former one has read.
    const noted = new Set(world.databases[program].next_version_read!.map(({ name, line_id }) => `${name} ${line_id}`))
    const byFormer = lines.filter((line) => !noted.has(line))
    return {
      rows: byFormer.length,
      wrong: byFormer.length < lines.length ? [] : [{ what: `the next version has read none of ${lines.length}` }],
    }
  },
})

/** Name and line of each event that the program has read. */
function consumedLines({ databases }: World, program: ServiceName): string[] {
  const consumed = new Set(databases[program].inbox!.map(({ message_id }) => message_id as string))
  return Object.entries(publishers).flatMap(([name, publisher]) =>
    databases[publisher]
      .outbox!.filter((event) => event.name === name && consumed.has(event.id))
      .map(({ data }) => `${name} ${data.lineId}`),
  )
}
