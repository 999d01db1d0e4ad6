import type { Series } from './works.ts'

export const cities: Series = {
  name: 'neon',
  category: 'Cyber',
  euros: [19, 560, 1100, 1450, 180, 120, 5, 19, 49, 9, 2500, 220],
  works: [
    ['Harbour District, 03:40', 'The noodle bar is open. The noodle bar is always open.'],
    ['Rain Check', 'It stopped a minute ago and the street has not noticed.'],
    ['Every Window a Tab', 'Somebody forgot to close the city.'],
    ['Lower Neon', 'The upper half is for sale. This is the good half.'],
    ['Moonrise over Sector Nine', 'Sponsored, like everything, but lovely.'],
    ['Twice the City', 'One to live in, one to look at.'],
    ['Signal Lost, View Excellent', 'No bars, all stars.'],
    ['The Last Analogue Night', 'They switched it over on a Tuesday.'],
    ['Waterfront Terminal', 'Boats to everywhere you have already been.'],
    ['Power Cut Minus One', 'Look quickly.'],
    ['Skyline with Insomnia', 'It counts its own windows and starts again.'],
    ['Downtown, Upside Down', 'The better half of town is under the quay.'],
  ],
}

export const signals: Series = {
  name: 'glitch',
  category: 'Cyber',
  euros: [1900, 99, 1450, 75, 1450, 560, 1900, 380, 19, 1100, 24, 450],
  works: [
    ['Buffering Saint', 'Beatified at 99 per cent.'],
    ['Face Not Recognised', 'Please look into the light and be someone.'],
    ['Sunset.exe Has Stopped', 'Wait, or close the evening?'],
    ['Packet Loss', 'The important part is always in the gap.'],
    ['Dead Channel', 'The sky is tuned to it.'],
    ['Memory Leak', 'She remembers more every day. It cannot go on.'],
    ['Checksum', 'Nearly who you were this morning.'],
    ['Oracle, Low Bandwidth', 'The answer is ye'],
    ['Copy of a Copy of a God', 'The worship came through fine.'],
    ['Torn Stream', 'Two seconds of a broadcast nobody sent.'],
    ['Ghost in the Gradient', 'It lives between two colours and pays no rent.'],
    ['Reboot at Dawn', 'Have you tried turning the sun off and on again?'],
  ],
}

export const summers: Series = {
  name: 'skies',
  category: 'Anime',
  euros: [145, 29, 12, 5, 99, 12, 29, 19, 12, 49, 75, 260],
  works: [
    ['The Summer That Kept Going', 'Last day of the holidays, hour by hour by hour.'],
    ['Cumulus, Episode One', 'A cloud, a hill, and someone about to decide.'],
    ['Wait for Me at the Wires', 'You said five. The cicadas said six.'],
    ['Tall White Quiet', 'It stood there all afternoon and then it was rain.'],
    ['Letter I Did Not Send', 'It would have said: look up.'],
    ['Cloud Castle, Vacant', 'The rent is only wind.'],
    ['The Day Before the Typhoon', 'Everything holds its breath and is very blue.'],
    ['Small Figure, Large Evening', 'In proportion, for once.'],
    ['Bus Stop in the Sky', 'Next departure: when you are ready.'],
    ['Nobody Else Was Looking', 'So you will have to believe me.'],
    ['Opening Credits', 'The song starts when she turns round.'],
    ['Hill Where We Waved', 'Somebody still does.'],
  ],
}

export const faces: Series = {
  name: 'portraits',
  category: 'Anime',
  euros: [180, 680, 2500, 180, 15, 24, 19, 120, 99, 42, 9, 29],
  works: [
    ['Before She Says It', 'One more frame and everything changes.'],
    ['Petal Fall', 'Five centimetres a second, and she counts.'],
    ['Wind from the Left', 'It brought the sea, the bells and a decision.'],
    ['Student Council, Secretly a Comet', 'Attendance: perfect. Orbit: eccentric.'],
    ['The Violinist’s Day Off', 'You can hear her not playing.'],
    ['Moon Behind, Exam Ahead', 'She has already passed the harder one.'],
    ['The Girl Who Filed the Stars', 'Alphabetically, by wish.'],
    ['Episode 12, Rooftop', 'The one everybody cried at.'],
    ['Half a Smile, Hand-Drawn', 'Twenty-four drawings to get to this one.'],
    ['Stay in the Frame', 'She was about to leave it.'],
    ['Heroine of Another Story', 'She is only passing through this one.'],
    ['Festival Night, 9:14', 'The fireworks are behind you.'],
  ],
}
