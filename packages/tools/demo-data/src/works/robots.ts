import type { Series } from './works.ts'

export const sitters: Series = {
  name: 'robots',
  category: 'Robots',
  euros: [49, 9, 9, 180, 260, 680, 5, 55, 2500, 9, 15, 42],
  works: [
    ['Unit 12 Thinks It Over', 'Processing. Please enjoy the silence.'],
    ['Portrait of a Night Porter', 'He has carried every suitcase in this city twice.'],
    ['Gustav, Retired', 'Forty years on the line and now geraniums.'],
    ['The Librarian', 'Overdue since 1962, forgiven in a millisecond.'],
    ['Please Speak After the Tone', 'He still waits for the tone.'],
    ['Aunt Magneta', 'Visits attract her. Spoons, too.'],
    ['Warranty Void', 'Opened once, by a friend, out of love.'],
    ['Head of Complaints', 'Listens to everyone. Feels nothing. Sends flowers.'],
    ['Self-Portrait with Antenna', 'Painted by the sitter, from an internal diagram.'],
    ['The Understudy', 'Knows every part and has replaced most of hers.'],
    ['Model Citizen', 'Votes, recycles, recharges.'],
    ['Bolt Upright', 'Posture: factory setting.'],
  ],
}

export const companies: Series = {
  name: 'parade',
  category: 'Robots',
  euros: [9, 55, 180, 99, 49, 220, 42, 75, 180, 65, 9, 9],
  works: [
    ['Class of 2084', 'All of them top of the class. There was a firmware update.'],
    ['Shift Change', 'One goes in as another comes out, and nobody blinks.'],
    ['Family Reunion, Sector 5', 'You can tell from the jaw.'],
    ['Casting Call', 'Looking for: warm, approachable, waterproof.'],
    ['The Night Choir', 'They hum at 50 hertz and mean every one.'],
    ['Employees of the Month', 'Every month.'],
    ['Yearbook', 'Most likely to be recalled: third row.'],
    ['Passport Photos', 'Please do not smile. Thank you. That was easy.'],
    ['Board of Directors', 'Circuit boards, to be exact.'],
    ['Lost Property', 'Each of them somebody’s, all of them nobody’s.'],
    ['A Parliament of Heads', 'The ayes have it. So do the single lenses.'],
    ['Variations on a Welder', 'Same mould, other thoughts.'],
  ],
}
