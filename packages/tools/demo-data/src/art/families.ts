import { birds } from './birds.ts'
import { boxes } from './boxes.ts'
import { cubes } from './cubes.ts'
import { flow } from './flow.ts'
import { glass } from './glass.ts'
import { glitch } from './glitch.ts'
import { koi } from './koi.ts'
import { moths } from './moths.ts'
import { moto } from './moto.ts'
import { neon } from './neon.ts'
import { paperHills } from './paper-hills.ts'
import { parade } from './parade.ts'
import { pipes } from './pipes.ts'
import { portraits } from './portraits.ts'
import { roads } from './roads.ts'
import { robots } from './robots.ts'
import { skies } from './skies.ts'
import { tubes } from './tubes.ts'
import { wash } from './wash.ts'
import { wheels } from './wheels.ts'

/** All families of images, by name. */
export const families = {
  birds,
  boxes,
  cubes,
  flow,
  glass,
  glitch,
  koi,
  moths,
  moto,
  neon,
  paperHills,
  parade,
  pipes,
  portraits,
  roads,
  robots,
  skies,
  tubes,
  wash,
  wheels,
}

export type FamilyName = keyof typeof families
