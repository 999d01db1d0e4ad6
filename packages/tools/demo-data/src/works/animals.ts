import type { Series } from './works.ts'

export const moths: Series = {
  name: 'moths',
  category: 'Animals',
  euros: [99, 260, 15, 5, 19, 5, 99, 29, 49, 89, 9, 850],
  works: [
    ['Specimen of Dusk', 'Collected at the porch light, released at once.'],
    ['Attacus Imaginarius', 'Described here for the first time and never seen since.'],
    ['Velvet Atlas', 'A map of somewhere soft.'],
    ['Four False Eyes', 'It looks back with all of them.'],
    ['The Lamp’s Confidante', 'She knows what the light says when we sleep.'],
    ['Wingbeat, Held', 'One sixtieth of a second, kept for good.'],
    ['Cabinet III, Drawer 7', 'The label fell off. The beauty did not.'],
    ['Emperor without Country', 'No land, no army, splendid coat.'],
    ['Powder and Ember', 'Do not touch: it would come off on you.'],
    ['Night Bloom', 'Half flower, half errand.'],
    ['Symmetry Is a Rumour', 'Look closely. Then look at the other side.'],
    ['Moon Moth, Waiting', 'Eight days to live and none of them wasted.'],
  ],
}

export const ponds: Series = {
  name: 'koi',
  category: 'Animals',
  euros: [145, 75, 55, 35, 29, 15, 560, 1900, 180, 9, 5, 65],
  works: [
    ['The Pond Turns', 'Nobody leads. They all follow.'],
    ['Feeding Time at the Temple', 'A bell, a step, a flash of red.'],
    ['Brocade', 'Silk that swims.'],
    ['Conversation Under Lilies', 'It has been going on since before the bridge.'],
    ['Old Kohaku', 'Older than the gardener, and better informed.'],
    ['Ripples, Unsigned', 'Something was here a moment ago.'],
    ['Five Ways of Being Gold', 'Only one of them is the colour.'],
    ['Koi in Ink Weather', 'Painted on the day it would not rain.'],
    ['Circular Argument', 'Each of them has a point. It is behind the next.'],
    ['Still Water, Busy Floor', 'The surface says nothing.'],
    ['Pond by Heart', 'Drawn from memory, one fin too many on purpose.'],
    ['What the Heron Saw', 'A moment of hesitation, worth a fish.'],
  ],
}

export const songbirds: Series = {
  name: 'birds',
  category: 'Animals',
  euros: [680, 24, 15, 9, 29, 65, 75, 120, 24, 145, 1900, 560],
  works: [
    ['Committee on a Wire', 'Motion to fly south: postponed.'],
    ['Two Notes', 'The whole song, and then the whole song again.'],
    ['Quorum', 'Now that everybody is here, nobody sings.'],
    ['The Tenor', 'He is saving his voice for five in the morning.'],
    ['Neighbours', 'They have shared a branch for years and never a worm.'],
    ['Field Guide, Page 41', 'Common. Cheerful. Never where you look.'],
    ['The Robin’s Alibi', 'He was here the entire time. Ask anyone.'],
    ['Early', 'With an opinion about worms.'],
    ['A Small Opera', 'In three acts, all of them before breakfast.'],
    ['Feathered Arithmetic', 'One flew off. How many are offended?'],
    ['Good Branch', 'Found it, kept it, told no one.'],
    ['Wintering', 'Round as a fruit, warm as a pocket.'],
  ],
}
