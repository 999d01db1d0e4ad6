import type { SeriesName } from './works/works.ts'

/** An invented person. `username` has no "@" and names the files of the avatar and the cover. */
export type Person = {
  username: string
  firstName: string
  lastName: string
  email: string
  occupation: string
  description: string
}

/** A creator with a `specialty` has most works of that series; the others have some of every series. */
export type Creator = Person & { specialty?: SeriesName }

function person(username: string, name: string, occupation: string, description: string): Person {
  const [firstName, ...rest] = name.split(' ')
  return {
    username,
    firstName: firstName!,
    lastName: rest.join(' '),
    email: `${username}@demo.nifty.example`,
    occupation,
    description,
  }
}

const creator = (specialty: SeriesName, ...details: Parameters<typeof person>): Creator => ({
  ...person(...details),
  specialty,
})

export const CREATORS: readonly Creator[] = [
  creator(
    'flow',
    'ines.arrow',
    'Inês Arrowsmith',
    'Plotter artist',
    'Draws with wind and a very long ruler. Lisbon, usually outdoors.',
  ),
  creator(
    'moto',
    'tankandtin',
    'Rafael Quintanar',
    'Poster maker',
    'Paints motorcycles that will never need a spare part.',
  ),
  creator(
    'moths',
    'nocturna',
    'Saoirse Vantongeren',
    'Illustrator of imaginary insects',
    'Every species here is new to science, because it is new to everyone.',
  ),
  creator(
    'robots',
    'boltupright',
    'Emeka Oyelaran-Voss',
    'Portrait painter',
    'Believes machines deserve better portraits than people do. They sit still.',
  ),
  creator(
    'cubes',
    'blockwork',
    'Yuna Haseldine',
    'Architect of small mountains',
    'Builds cities that fit on a shelf. No planning permission required.',
  ),
  creator(
    'tubes',
    'softpipe',
    'Teodor Lindqvale',
    'Sculptor without a studio',
    'Ties knots in things that do not exist and lights them well.',
  ),
  creator('neon', 'lowerneon', 'Minh-Anh Castellane', 'Night walker', 'Goes out at three, comes home with a city.'),
  creator(
    'skies',
    'episodeone',
    'Haruka Morrow',
    'Background artist',
    'Paints the skies behind the story. Sometimes the story moves in.',
  ),
  creator('wash', 'slowbasin', 'Noor El-Tahan', 'Marbler', 'One basin, one breath, no second attempts.'),
  creator(
    'roads',
    'longexposure',
    'Kaspar Brandvold',
    'Rider and photographer',
    'Leaves the shutter open and the throttle, too.',
  ),
  creator(
    'koi',
    'brocadepond',
    'Aiko Fernleigh',
    'Painter',
    'Has looked at one pond for eleven years. It still surprises her.',
  ),
  creator('parade', 'sameagain', 'Dorota Wielgosz-Lane', 'Printmaker', 'Likes a thing best the twelfth time.'),
  creator(
    'boxes',
    'orderleaving',
    'Benedek Sarkany',
    'Draughtsman',
    'Begins with a perfect grid and then is honest about it.',
  ),
  creator(
    'pipes',
    'ductwork',
    'Lola Achterberg',
    'Pattern designer',
    'Daughter of a plumber, granddaughter of an organ builder.',
  ),
  creator(
    'glitch',
    'badsignal',
    'Juno Okwuosa',
    'Signal artist',
    'Collects what is lost on the line. It is usually the best part.',
  ),
  creator(
    'portraits',
    'twentyfourframes',
    'Ren Takamori-Bell',
    'Character animator',
    'Draws the frame before the line is spoken.',
  ),
  creator(
    'paper-hills',
    'foldedpass',
    'Magnus Tiedeholm',
    'Paper cutter',
    'Walks ridges by day, cuts them by night. Sheet by sheet.',
  ),
  creator(
    'wheels',
    'torqueandtempo',
    'Célestine Obando',
    'Drummer, mechanic',
    'If it turns, it has a rhythm. If it has a rhythm, it can be drawn.',
  ),
  creator(
    'birds',
    'fieldguide',
    'Wren Hathersage',
    'Naturalist',
    'Draws birds with a compass and apologises to them afterwards.',
  ),
  creator(
    'glass',
    'leadlight',
    'Paolo Vetriani',
    'Glazier',
    'Third generation in windows, first to leave out the saints.',
  ),
  person(
    'oddsandends',
    'Farida Quillfeather',
    'Collector of techniques',
    'A beginner in everything, on purpose, for twenty years.',
  ),
  person(
    'sunday.press',
    'Tomás Abernethy-Ruiz',
    'Publisher of single pictures',
    'One press, one day a week, no editions.',
  ),
  person(
    'kiteclub',
    'Lindiwe Marchetti',
    'Art teacher',
    'Shows what her pupils taught her. With permission and with pride.',
  ),
  person(
    'studio.halfmoon',
    'Ewa and Idris Halloran',
    'Duo',
    'One draws, one erases. They take turns and never say who.',
  ),
  person('atlasofsmall', 'Viggo Nakamura-Sand', 'Cartographer', 'Maps rooms, ponds, faces and other countries.'),
]

export const COLLECTORS: readonly Person[] = [
  person('clara.voss', 'Clara Vossberg', 'Restorer', 'Buys with the lights off and hangs with them on.'),
  person(
    'omar.lindgren',
    'Omar Lindgren-Said',
    'Bookseller',
    'Started with one print above the till. There is no wall left.',
  ),
  person('june.okada', 'June Okada-Ferris', 'Surgeon', 'Collects small pictures with large skies.'),
]
