import { expect, test } from 'vitest'
import { fullNameProblem, nameProblem, personNameProblem } from './names.ts'

test.each([
  ['a right-to-left override', 'evil\u202Egpj'],
  ['a left-to-right mark', 'Ada\u200E'],
  ['an isolate', '\u2066Ada\u2069'],
  ['an Arabic letter mark', 'Ada\u061C'],
  ['a zero-width space', 'A\u200Bda'],
  ['a zero-width joiner between letters', 'A\u200Dda'],
  ['a zero-width joiner between digits', '1\u200D2'],
  ['a zero-width non-joiner', 'A\u200Cda'],
  ['a zero-width non-joiner at the end of an Arabic word', 'علی\u200C'],
  ['a zero-width non-joiner between an Arabic letter and a digit', 'ع\u200C1'],
  ['a zero-width joiner between Arabic letters', 'ع\u200Dل'],
  ['a byte order mark', '\uFEFFAda'],
  ['a word joiner', 'A\u2060da'],
  ['a soft hyphen', 'A\u00ADda'],
  ['a Hangul filler', 'Ada\u3164'],
  ['a selector behind a letter', 'Ada\uFE0F'],
  ['a tag character', 'Ada\u{E0041}'],
  ['a line separator', 'Ada\u2028'],
  ['an empty Braille pattern', '\u2800'],
  ['a C1 control', 'Ada\u0085'],
  ['an annotation anchor', 'A\uFFF9da'],
  ['an annotation separator', 'A\uFFFAda'],
  ['an annotation terminator', 'A\uFFFBda'],
  ['a placeholder of an object', 'Ada\uFFFC'],
])('a name with %s is refused', (_, name) => {
  expect(nameProblem(name)).toMatch('invisible')
})

test.each([
  ['spaces', '   '],
  ['no-break spaces', '\u00A0\u3000'],
  ['a combining mark', '\u0301'],
])('a name of nothing but %s is refused', (_, name) => {
  expect(nameProblem(name)).toMatch('visible character')
})

test.each([
  '',
  'Ada',
  'Ada King-Noel',
  "O'Brien",
  'José',
  'Jose\u0301',
  'علی',
  'علی\u200Cرضا',
  'می\u200Cخواهم',
  'ज्ञान',
  'क्\u200Dष',
  'ക്\u200C',
  'ശ്രീന്\u200D',
  'ᠮᠠᠨ\u180Eᠠ',
  '葛\u{E0100}城',
  '紫式部',
  '👩🏽‍🎨 at work',
  '❤️',
  '1️⃣',
  '#1',
  '<b>',
])('the name "%s" is fine', (name) => {
  expect(nameProblem(name)).toBeUndefined()
})

test.each(['Nifty', 'Nifty Support', 'N1FTY', 'n.i.f.t.y', 'Νіfty', 'Ñifty', 'Ada of Niftу'])(
  'no person is named "%s", as the store is',
  (name) => expect(personNameProblem(name, 'Nifty')).toMatch('name of the store'),
)

test('no person has the name of the store in two parts', () => {
  expect(fullNameProblem({ firstName: 'Nif', lastName: 'ty Support' }, 'Nifty')).toMatch('name of the store')
  for (const name of [
    { firstName: 'Nif', lastName: 'Lovelace' },
    { firstName: 'Ada', lastName: '' },
  ])
    expect(fullNameProblem(name, 'Nifty')).toBeUndefined()
})

test.each(['ɴɪғᴛʏ', 'Nifŧy', 'Niƒty', 'Ɲifty', 'Ŋifty', 'N!fty', 'NıꞘty', '🇳🇮🇫🇹🇾', 'Niftɏ', 'Niʈfty Nifṭy'])(
  'nor is one named "%s", with letters that look like those of the store',
  (name) => expect(personNameProblem(name, 'Nifty')).toMatch('name of the store'),
)

test.each(['Ada ✓', 'Ada ✔', '☑️ Ada', '✅'])('no person is named "%s", with a check mark', (name) => {
  expect(personNameProblem(name, 'Nifty')).toMatch('check marks')
})

test('names of people that only resemble both are fine', () => {
  for (const name of ['Thrifty', 'Nif', 'Ada √2', '⭐ Ada', 'Ada 🇳🇮', 'Fifty!', 'Ŋọ̀ŋ'])
    expect(personNameProblem(name, 'Nifty')).toBeUndefined()
})

test.each(['Galerie Lumen', 'GALERIE-LUMEN Support', 'gаlеriе lumеn', 'Galerie Lümen', 'Ga1erie Lumen'])(
  'in a store named Galerie Lumen nobody is named "%s"',
  (name) => expect(personNameProblem(name, 'Galerie Lumen')).toMatch('name of the store'),
)

test('other names are fine in a store of another name, also of a short one and one without letters', () => {
  for (const [name, store] of [
    ['Nifty', 'Galerie Lumen'],
    ['Lumen', 'Galerie Lumen'],
    ['Bart Martin', 'Art'],
    ['Ada', '★'],
  ] as const)
    expect(personNameProblem(name, store), name).toBeUndefined()
  expect(personNameProblem('A.r.t', 'Art')).toMatch('name of the store')
})
