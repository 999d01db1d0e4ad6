import { createHash } from 'node:crypto'
import list from './common-passwords.json' with { type: 'json' }

/**
 * SHA-256, cut to 48 bits in base64, of the 10,000 most common passwords of at least 8 characters, in lower case.
 * README.md of this service says how they were recorded.
 */
const recorded = new Set(list.hashes.match(/.{8}/g))

/** A lower-case password as the list has it. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, 6).toString('base64')

/**
 * First entries of lists of leaked passwords and names from this store's field. With the endings and the digit
 * substitutions below they also cover what the list of whole passwords does not: last year's word with this year's
 * number.
 */
const words = `
  abc123 access admin administrator aaaaaa abcd abcdef alexander amanda andrea andrew angel angela anthony apple arsenal
  ashley asdf asdfgh asdfghjkl asdfjkl asshole august austin autumn babygirl bailey banana baseball basketball batman
  benjamin biteme bitcoin blink182 bonnie boomer brandon brooklyn bubbles buster butterfly bullshit carlos changeme
  charlie charlotte cheese chelsea chicken chocolate chris christian christopher coffee collector computer
  confidential contrasena cookie corvette cowboy creative creator crypto daniel danielle database december default
  demo dennis diamond dolphin dragon eagles einstein elephant elizabeth eminem ethereum everton facebook family
  fantasy ferrari fishing flower football forever freedom friday friends fuckyou fucker galaxy garfield george
  gfhjkm ginger godzilla google guest guitar hallo hannah happy harley hello hello1 heather hockey hottie hunter
  iloveu iloveyou iloveyou1 internet isabella jackson jasmine jennifer jessica jesus jonathan jordan joseph joshua
  justin killer kristina letmein letmeinnow lifehack lightning linkedin liverpool login london loveme lovely loveyou
  madison maggie manchester marina marketplace marlboro martin master matrix matthew maverick melissa mercedes metamask
  michael michelle minecraft monday monkey monster morgan mustang mynoob naruto natasha nathan nicholas nicole nifty
  nothing november nftart october orange p@ssw0rd pa55word pakistan panther passport passw0rd password password1
  passwort patrick peanut pepper phoenix pokemon polygon prince princess private purple q1w2e3r4 q1w2e3r4t5 qazwsx
  qazwsxedc qwer qwerty qwertz qwertyui qwertyuiop qwertzuiop azerty azertyuiop rachel rainbow ranger rangers
  rebecca robert rockstar ronaldo root samantha samsung sandra saturday scooter secret security september shadow
  simple skywalker slipknot snoopy soccer sophie spiderman spring starwars stephanie steelers steven success summer
  sunday sunshine superman superstar sweety taylor tennis test tester testing thomas thunder tigger tinkerbell
  trustme trustno1 twitter unknown user vanessa victoria wallet welcome whatever william windows winner winter yankees
  yellow zaq1zaq1 zaq12wsx zxcvbn zxcvbnm 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 3edc 123qwe 123abc 147258369 159753
  159357 741852963 789456123 987654321 1029384756 11223344 112233445566 121212 123123 123321 12341234 123654789
  1234qwer 12qwaszx 131313 147258 1qazxsw2 0987654321 a1b2c3d4 a123456 q12345 qweasdzxc qweasd
`
  .trim()
  .split(/\s+/)

/** Common substitutions of letters. */
const letterFor: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
const asLetters = (text: string) => text.replace(/[013457@$]/g, (sign) => letterFor[sign]!)

const known = new Set(words)
const knownAsLetters = new Set(words.map(asLetters))
const isWord = (text: string) => known.has(text) || knownAsLetters.has(asLetters(text))

const rows = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm']
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])
const isRun = (text: string) => runs.some((row) => row.includes(text))

/** True when the text is one shorter piece again and again: `aaaaaaaa`, `abcabcabc`. */
const repeats = (text: string) => {
  const piece = text.slice(0, `${text}${text}`.indexOf(text, 1))
  return piece.length < text.length && (piece.length <= 4 || isWord(piece) || isRun(piece))
}

/** The text, and the text without one to six trailing digits or signs. */
function stems(text: string) {
  const ending = /[^a-z]*$/.exec(text)![0].length
  return Array.from({ length: Math.min(ending, 6) + 1 }, (_, cut) => text.slice(0, text.length - cut))
}

/** True for a recorded password, a common word with digits or signs around it, a keyboard run, or a repetition. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  if (recorded.has(hashOf(text)) || isRun(text) || repeats(text)) return true
  return stems(text).some(
    (stem) => isWord(stem) || isWord(stem.replace(/^[^a-z]{1,4}/, '')) || (stem.length >= 4 && isRun(stem)),
  )
}
