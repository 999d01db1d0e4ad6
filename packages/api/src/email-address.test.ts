import { expect, test } from 'vitest'
import { parseEmail } from './email-address.ts'

test.each([
  ['user@müller.de', 'user@xn--mller-kva.de'],
  ['user@mu\u0308ller.de', 'user@xn--mller-kva.de'],
  ['user@MÜLLER.DE', 'user@xn--mller-kva.de'],
  ['user@xn--mller-kva.de', 'user@xn--mller-kva.de'],
  ['ada@例え。jp', 'ada@xn--r8jz45g.jp'],
  ['ada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
  ['ada@faß.example', 'ada@xn--fa-hia.example'],
  ['ａｄａ＠ｅｘａｍｐｌｅ．ｊｐ', 'ada@example.jp'],
  ['\u00a0ada@example.com\u3000', 'ada@example.com'],
  ["o'neil+nft@Example.com", "o'neil+nft@Example.com"],
])('%s is %s', (typed, email) => expect(parseEmail(typed)).toBe(email))

test.each([
  'nope',
  'jürgen@example.com',
  'a@b.example, c@d.example',
  'Ada <ada@example.com>',
  'ada@exämple.com/c',
  'ada@exämple.com／c',
  'ada@exämple.com:25',
  'ada@ex%41mple.com',
  'ada@exä%41mple.com',
  'ada@c@exämple.com:x',
  'ada@１２７.0.0.1',
  'ada@ä\u200db.example',
  'ada@ä..example',
  'ada@ä b.example',
  'ada@example.com\u200b',
  'ada@exam\u00adple.com',
  `${'a'.repeat(65)}@example.com`,
])('%j is no address', (typed) => expect(parseEmail(typed)).toBeNull())
