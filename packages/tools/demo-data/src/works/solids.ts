import type { Series } from './works.ts'

export const blocks: Series = {
  name: 'cubes',
  category: 'Cube',
  euros: [320, 12, 9, 220, 560, 5, 450, 1900, 75, 145, 9, 89],
  works: [
    ['City with One Tenant', 'She moves house every night and always has a view.'],
    ['Stack Overture', 'Play it from the left, loudest at the top.'],
    ['Quarry of Small Hours', 'Where they cut the time between two and four.'],
    ['Isometric Summer', 'No vanishing point. Nothing vanishes.'],
    ['The Accountant’s Mountain', 'Every block entered, every block accounted for.'],
    ['Sugar Fort', 'It held until tea.'],
    ['Block Party', 'Everyone came, and everyone fits.'],
    ['Monument to a Rounding Error', 'It was only off by one.'],
    ['Plateau for Beginners', 'Climb on. The edges are gentle.'],
    ['Archive of Rooms', 'One box for every door you have closed.'],
    ['Ziggurat, Second Draft', 'The first one reached too far.'],
    ['Terrace Weather', 'Sun on the tops and shade by appointment.'],
  ],
}

export const squares: Series = {
  name: 'boxes',
  category: 'Cube',
  euros: [450, 680, 680, 42, 145, 680, 42, 89, 65, 55, 560, 89],
  works: [
    ['Order, Leaving', 'It was here at the top of the page.'],
    ['Square Meal', 'Nine courses, all of them corners.'],
    ['The Drawer of Drawers', 'In the last one there is a smaller question.'],
    ['Homage to a Wobble', 'The hand that shook was the one that knew.'],
    ['Boxed Set', 'Complete. Slightly shaken.'],
    ['Quilt for a Mathematician', 'Warm on one side, proven on the other.'],
    ['Tolerance ±5', 'Measured twice, cut with feeling.'],
    ['Nesting', 'Each keeps the next one safe.'],
    ['The Grid Has a Bad Day', 'By Thursday it was fine again.'],
    ['Windows, All Lit', 'Somebody is home in every one.'],
    ['Concentric Gossip', 'It grows as it goes in.'],
    ['Polite Earthquake', 'It apologised to every pane.'],
  ],
}

export const knots: Series = {
  name: 'tubes',
  category: 'Tube',
  euros: [260, 9, 320, 450, 12, 1450, 24, 89, 450, 9, 12, 320],
  works: [
    ['Knot for a Giant’s Shoe', 'Double loop. He is running late.'],
    ['Inner Life of a Trumpet', 'Everything a note goes through to be heard.'],
    ['Candy Logic', 'Sweet premises, sticky conclusions.'],
    ['Soft Machine', 'It hums if you hold it.'],
    ['The Untied', 'Pull either end. There is none.'],
    ['Lasso the Moon, Step Three', 'Steps one and two are on the back.'],
    ['Embrace', 'It is hard to say who started it.'],
    ['Loop in Love', 'It always comes back.'],
    ['Serpentine Avenue', 'Straight on, and then not for a while.'],
    ['Big Swallow', 'A snake ate a circus. Both are well.'],
    ['Pretzel Theory', 'Published, peer-reviewed, salted.'],
    ['Slow Pipe Dream', 'The kind you can lean on.'],
  ],
}

export const pipework: Series = {
  name: 'pipes',
  category: 'Tube',
  euros: [560, 680, 15, 2500, 75, 12, 55, 12, 19, 75, 55, 42],
  works: [
    ['The Plumber’s Labyrinth', 'He goes in with a wrench and comes out with a theory.'],
    ['Pneumatic Post', 'Your letter is somewhere behind the wall, doing sixty.'],
    ['Organ without a Church', 'Press any key on the building.'],
    ['Boiler Room Ballet', 'Steam on the left, tutus on the right.'],
    ['Underground, Simplified', 'Change here for everywhere.'],
    ['Marching Band, Unfolded', 'A kilometre of brass, laid flat.'],
    ['Where the Water Thinks', 'Somewhere between cold and hot it makes up its mind.'],
    ['Three Rivers, No Leaks', 'Certified and slightly smug.'],
    ['The Building Hums', 'Put your ear to it. B flat.'],
    ['Closed Circuit', 'Nothing gets lost here. Nothing gets out, either.'],
    ['Radiator Baroque', 'Ornament that heats the room.'],
    ['Bends', 'Taken at walking pace, with pleasure.'],
  ],
}
