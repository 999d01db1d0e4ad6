import type { Series } from './works.ts'

export const machines: Series = {
  name: 'moto',
  category: 'Moto',
  euros: [15, 180, 5, 5, 120, 19, 9, 5, 850, 1450, 35, 24],
  works: [
    ['Sunday, No Passengers', 'A full tank, an empty road and nobody waiting.'],
    ['The Long Way Home', 'Forty minutes on the motorway, nine hours on this.'],
    ['Café at the End of the Strip', 'Coffee, then the coast, then coffee.'],
    ['Kick Start', 'Third try. It is always the third try.'],
    ['Coastline Special', 'Sold in one colour. This one.'],
    ['Desert Twin', 'Two cylinders, one horizon.'],
    ['Idle', 'Even standing still it leans forward.'],
    ['Grand Prix of Nothing', 'Entered alone. Finished second.'],
    ['Salt Flat Saint', 'Patron of the flat-out and the slightly lost.'],
    ['Grandfather’s Single', 'He sold the farm and kept the motorcycle.'],
    ['Poster for a Race That Was Rained Off', 'The prints survived. The track did not.'],
    ['Sixty in the Sun', 'Sixty what, nobody asked.'],
  ],
}

export const nightRides: Series = {
  name: 'roads',
  category: 'Moto',
  euros: [850, 15, 29, 145, 145, 450, 1450, 19, 2500, 65, 5, 89],
  works: [
    ['Thirty Seconds of Route 9', 'One exposure. Eleven riders. No survivors but the light.'],
    ['Tail Lights, Leaving', 'You can tell from the colour which way it went.'],
    ['The Bend Before the Sea', 'Lean, look, and there it is.'],
    ['Night Ferry Traffic', 'Everyone late for the same boat.'],
    ['Headlamp Calligraphy', 'Written at ninety and legible anyway.'],
    ['After the Rally', 'The field went quiet, the road did not.'],
    ['Two Lanes to Morning', 'The one you are on and the one you are not.'],
    ['Slow Shutter, Fast Friends', 'They passed before the picture was finished.'],
    ['Red Shift', 'What goes away turns red. Astronomers and riders agree.'],
    ['Last Petrol for 80 km', 'Everybody saw the sign. Nobody stopped.'],
    ['Switchback Sonata', 'In four movements and two gears.'],
    ['The Road Rehearses', 'It goes over every curve again once we are gone.'],
  ],
}

export const rotations: Series = {
  name: 'wheels',
  category: 'Moto',
  euros: [1450, 49, 450, 9, 15, 55, 9, 55, 35, 24, 5, 5],
  works: [
    ['Gearbox in Summer', 'Taken apart on a blanket, put together as this.'],
    ['Rhythm for Nine Wheels', 'Start with the big one. The others follow.'],
    ['Spare Parts, Major Key', 'Nothing here fits. Everything here turns.'],
    ['Torque', 'A force drawn as it feels in the wrist.'],
    ['The Clockmaker Buys a Motorcycle', 'He set it to be four minutes early.'],
    ['Ball Bearings’ Ball', 'They danced until they were perfectly round.'],
    ['Chain of Command', 'The small one decides. It was always the small one.'],
    ['Pit Stop in 2.1', 'Twelve people, four wheels and no words.'],
    ['Carousel for Engineers', 'No horses, excellent tolerances.'],
    ['Homage to the Hub', 'Everything else goes round it.'],
    ['Velodrome', 'Banked colours, and a bell for the last lap.'],
    ['Perpetual, Nearly', 'It ran for eleven years and then for lunch.'],
  ],
}
