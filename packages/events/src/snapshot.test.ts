import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { refusedChanges, type Snapshot } from './snapshot.ts'

const Place = Type.Object({ city: Type.String(), street: Type.Optional(Type.String()) })
const recorded = { id: Type.String(), note: Type.Optional(Type.String()), at: Place }
const snapshotOf = (data: Parameters<typeof Type.Object>[0], key = 'id', name = 'kit.happened.v1'): Snapshot => ({
  [name]: { key, data: JSON.parse(JSON.stringify(Type.Object(data))) },
})

test.each([
  ['nothing', snapshotOf(recorded)],
  ['a new optional field', snapshotOf({ ...recorded, more: Type.Optional(Type.String()) })],
  [
    'a new optional field of a nested object',
    snapshotOf({ ...recorded, at: Type.Object({ ...Place.properties, floor: Type.Optional(Type.Integer()) }) }),
  ],
  ['a new event', { ...snapshotOf(recorded), ...snapshotOf({ id: Type.String() }, 'id', 'kit.other.v1') }],
  [
    'a new version beside the old one',
    { ...snapshotOf(recorded), ...snapshotOf({ id: Type.Integer() }, 'id', 'kit.happened.v2') },
  ],
])('%s may change', (_what, present) => {
  expect(refusedChanges(snapshotOf(recorded), present)).toEqual([])
})

const { id, note, at } = recorded
test.each([
  ['a removed field', snapshotOf({ id, at }), 'note was removed or renamed'],
  ['a renamed field', snapshotOf({ id, remark: note, at }), 'note was removed or renamed'],
  ['a new required field', snapshotOf({ ...recorded, more: Type.String() }), 'more is new and required'],
  [
    'a field that became required',
    snapshotOf({ ...recorded, note: Type.String() }),
    'note was optional and is required now',
  ],
  [
    'a field that became optional',
    snapshotOf({ ...recorded, id: Type.Optional(id) }),
    'id was required and is optional now',
  ],
  ['another type', snapshotOf({ ...recorded, id: Type.Integer() }), 'id has another schema'],
  [
    'a further value, which an older consumer refuses',
    snapshotOf({ ...recorded, id: Type.Union([Type.Literal('a'), Type.Literal('b')]) }),
    'id has another schema',
  ],
  [
    'a required field of a nested object',
    snapshotOf({ ...recorded, at: Type.Object({ ...Place.properties, floor: Type.Integer() }) }),
    'at.floor is new and required',
  ],
  ['another key', snapshotOf(recorded, 'note'), 'its key was id and is note'],
  ['a removed event', {}, 'kit.happened.v1 was removed or renamed'],
])('%s is refused, with what to do', (_what, present, change) => {
  const refused = refusedChanges(snapshotOf(recorded), present as Snapshot)
  expect(refused).toEqual([expect.stringContaining(change)])
  expect(refused[0]).toContain('schemas.json')
})
