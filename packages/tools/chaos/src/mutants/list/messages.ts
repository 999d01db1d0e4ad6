import { type Mutant, mutant } from './mutant.ts'

const kit = 'packages/service-kit/src'
const test = (title: string) => ({ file: `${kit}/messaging/messaging.test.ts`, title })

export const messageMutants: Mutant[] = [
  mutant(
    'no-inbox',
    'a message takes effect once',
    { file: `${kit}/messaging/inbox.ts`, find: 'if (!isNew) return true', replace: '' },
    test('a redelivered message is handled once'),
  ),
  mutant(
    'offset-before-effect',
    'an offset is committed after the effect',
    {
      file: `${kit}/messaging/kafka/batch.ts`,
      find: 'if (!(await handleAll(messages, reader, isOver))) break\n      resolveOffset(records.at(-1)!.offset)',
      replace: 'resolveOffset(records.at(-1)!.offset)\n      if (!(await handleAll(messages, reader, isOver))) break',
    },
    { file: `${kit}/messaging/kafka/batch.test.ts`, title: 'the offset of a message that was not stored stays' },
  ),
  mutant(
    'foreign-database-used',
    'O5: the database of another store is refused',
    {
      file: `${kit}/service/service.ts`,
      find: 'await refuseForeignDatabase(db, storeId)',
      replace: '',
    },
    {
      file: `${kit}/database/store-identity.test.ts`,
      title: 'a database of another store is refused before a migration is applied, with what to do',
    },
  ),
]
