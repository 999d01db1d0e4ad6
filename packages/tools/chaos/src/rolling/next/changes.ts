import type { ServiceName } from '@nifty/api/services'

/** A table of each service that every request of the campaign reads or writes. */
export const tables: Record<ServiceName, string> = {
  auth: 'account',
  catalog: 'item',
  payments: 'orders',
  minting: 'token',
  notification: 'mail',
}

/** A migration that a release adds before its code uses it; the running version ignores it. */
export const migrationOf = (service: ServiceName) => `
alter table ${tables[service]} add column next_version_note text not null default 'new';
create index ${tables[service]}_next_version on ${tables[service]} (next_version_note);

-- The events that processes of the next version read.
create table next_version_read (
  name text not null,
  line_id uuid not null,
  note text
);
`

/** `find` occurs once in the file. */
export type Change = { file: string; imports?: { name: string; from: string }; find: string; replace: string }

const published = 'deliveryFinal, { ...sale, buyerId, wallet, txHash, block, at: at.toISOString() })'

/** An event with one more field, and an event with one more version. */
export const changes: Change[] = [
  {
    file: 'packages/events/src/payments.ts',
    find: 'and the hold released. */\n    deliverBy: At,',
    replace: 'and the hold released. */\n    deliverBy: At,\n    nextVersionNote: Type.Optional(Type.String()),',
  },
  {
    file: 'services/payments/src/orders/steps/authorise.ts',
    find: 'deliverBy: deliverBy.toISOString() }',
    replace: `deliverBy: deliverBy.toISOString(), nextVersionNote: 'new' }`,
  },
  {
    file: 'services/minting/src/deliveries/delivery.actions.ts',
    imports: { name: 'deliveryFinalV2', from: '../../../../packages/tools/chaos/src/rolling/next/events.ts' },
    find: `publishEvent(trx, ${published}`,
    replace: `publishEvent(trx, ${published}.then(() =>
      publishEvent(trx, deliveryFinalV2, { ...sale, buyerId, recipient: wallet, txHash, block, at: at.toISOString() }))`,
  },
  {
    file: 'packages/service-kit/src/service/service.ts',
    imports: { name: 'subscriptionsOfNextVersion', from: '../../../tools/chaos/src/rolling/next/events.ts' },
    find: 'const { name, db, app, internal, subscriptions = [], workers = [] } = service',
    replace: `const { name, db, app, internal, workers = [] } = service
  const subscriptions = subscriptionsOfNextVersion(service.subscriptions ?? [])`,
  },
]

/** The text of a file in the next version. Throws if the file no longer has the place that is changed. */
export function changed(text: string, { file, imports, find, replace }: Change): string {
  if (text.split(find).length !== 2) throw new Error(`${file}: expected once: ${find}`)
  return [
    ...(imports ? [`import { ${imports.name} } from '${imports.from}'`] : []),
    text.replace(find, () => replace),
  ].join('\n')
}
