import type { Series } from './works.ts'

export const currents: Series = {
  name: 'flow',
  category: 'Art',
  euros: [19, 15, 5, 5, 220, 15, 35, 65, 42, 12, 2500, 15],
  works: [
    ['Undertow', 'Every line wants to be somewhere else and none of them touch.'],
    ['Directions for Wind', 'Instructions for a breeze, drawn before it arrived.'],
    ['The Parade Disperses', 'What the street looked like an hour after the music.'],
    ['Slow River, Fast Boats', 'One current, many opinions about it.'],
    ['Murmuration in B', 'A flock that learned to count and then forgot again.'],
    ['Polite Traffic', 'Nobody yields, everybody fits.'],
    ['Combed Field', 'After the harvest, before the rain, from very high up.'],
    ['Tidewritten', 'The sea signs its name, then thinks better of it.'],
    ['A Quarrel of Ribbons', 'They agreed on the colours. That was all.'],
    ['Weather for Two', 'A warm front meets a cold one and neither gives way.'],
    ['Isobars at Play', 'The forecast, on a day when it had nothing to say.'],
    ['Where the Grass Leans', 'Follow one stroke to its end, then choose another.'],
  ],
}

export const papers: Series = {
  name: 'paper-hills',
  category: 'Art',
  euros: [12, 320, 145, 9, 450, 2500, 35, 15, 5, 15, 49, 680],
  works: [
    ['Seven Sheets of Evening', 'Cut paper, one hour of light between each layer.'],
    ['The Valley Keeps Its Heat', 'Long after the sun has gone, the ground remembers.'],
    ['First Ridge, Last Ridge', 'How far a day goes when you walk all of it.'],
    ['Altitude', 'Air gets a colour if there is enough of it.'],
    ['Letter from the Pass', 'Folded twice, carried over, opened at dusk.'],
    ['Low Sun over Nowhere', 'No road leads here. That is the point of it.'],
    ['The Quiet Range', 'Mountains as they sound from far away.'],
    ['Dust Season', 'Fine as flour, red as brick, in everything.'],
    ['Nine Blues Before Dark', 'Counted from a kitchen window, and checked.'],
    ['Horizon, Repeated', 'The same promise, a little fainter each time.'],
    ['Cutting Light', 'Made with a knife that is not there.'],
    ['Where the Map Was Folded', 'The crease became a valley. We moved in.'],
  ],
}

export const inks: Series = {
  name: 'wash',
  category: 'Art',
  euros: [2500, 75, 89, 15, 1100, 180, 29, 2500, 9, 1900, 24, 380],
  works: [
    ['Marbled Hour', 'Ink let go on water and caught at the right moment.'],
    ['Endpaper for a Lost Book', 'Nobody remembers the story. Everybody remembers this.'],
    ['Agate', 'A stone, opened like a letter.'],
    ['Oil on Rain', 'The car park, beautiful for once.'],
    ['Tributaries', 'Gold goes where the paper lets it.'],
    ['Something Dissolving', 'Stay a while. It is still happening.'],
    ['Inland Sea', 'Soundings taken with a brush.'],
    ['The Other Side of Marble', 'What a statue dreams before it is one.'],
    ['Slow Burn', 'An ember at the speed of a glacier.'],
    ['Delta, Unnamed', 'Seen once from a night flight and drawn from memory.'],
    ['Suminagashi No. 12', 'A breath across the basin made all of the decisions.'],
    ['Cloud Chamber', 'Small weather, kept under glass.'],
  ],
}

export const windows: Series = {
  name: 'glass',
  category: 'Art',
  euros: [15, 89, 9, 9, 12, 99, 24, 560, 5, 35, 220, 99],
  works: [
    ['Rose Window, Unbuilt', 'For a cathedral that ran out of money in the best century.'],
    ['Morning Through Lead', 'Five minutes after nine, the floor is on fire.'],
    ['Chapel of Ordinary Light', 'No saints in it. The colours do the work.'],
    ['Vesper Glass', 'The window goes on praying when the people have left.'],
    ['The Glazier’s Daughter', 'She kept every broken pane and made them agree.'],
    ['Heart of the Kiln', 'The one pane that never cooled.'],
    ['Panes for a Lighthouse', 'Ships steer by it and cannot say why.'],
    ['Honeycomb Hymn', 'Sung by bees, written down by nobody.'],
    ['Shatter, Reversed', 'Played backwards, it is a kind of building.'],
    ['Northern Transept', 'Cold light, warm hands, eight hundred winters.'],
    ['Cathedral for One', 'Sit down. The service has begun already.'],
    ['Mosaic of a Loud Summer', 'All of it, in pieces, in order.'],
  ],
}
