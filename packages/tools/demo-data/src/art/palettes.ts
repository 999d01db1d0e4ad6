/** A background, an ink for lines, and colours that match both. */
type Palette = { ground: string; ink: string; colours: readonly string[] }

/** Light backgrounds. */
const PAPERS: readonly Palette[] = [
  { ground: '#f0e6d2', ink: '#1d2433', colours: ['#d1495b', '#edae49', '#00798c', '#30638e', '#003d5b'] },
  { ground: '#efe9dc', ink: '#22201e', colours: ['#e4572e', '#17bebb', '#ffc914', '#2e282a', '#76b041'] },
  { ground: '#f4ead7', ink: '#2b1d1a', colours: ['#bc4b32', '#e8985e', '#3e5c58', '#f2c57c', '#7a9e7e'] },
  { ground: '#e9e4da', ink: '#14213d', colours: ['#fca311', '#14213d', '#c44536', '#8fa6b2', '#e5c2a5'] },
  { ground: '#f3dfcf', ink: '#2a1a3a', colours: ['#ef6f6c', '#465775', '#f2d096', '#56a3a6', '#7b3e6b'] },
  { ground: '#e6ddcc', ink: '#101820', colours: ['#1f4e5f', '#f2aa4c', '#79a8a9', '#c1440e', '#f4f1e6'] },
]

/** Dark backgrounds. */
const NIGHTS: readonly Palette[] = [
  { ground: '#0d1321', ink: '#f0ebd8', colours: ['#ff5d5d', '#ffb86b', '#3ddbd9', '#5b8def', '#f0ebd8'] },
  { ground: '#140f22', ink: '#ffe9d6', colours: ['#ff4d8d', '#ff9a5a', '#7a5cff', '#36d1dc', '#ffe66d'] },
  { ground: '#0b1a1a', ink: '#eaf4e4', colours: ['#d8f171', '#2fbf9b', '#f4a259', '#f25f5c', '#eaf4e4'] },
  { ground: '#1a1012', ink: '#fbe8d3', colours: ['#ff6b35', '#f7c59f', '#efefd0', '#3a86a8', '#c81d4e'] },
  { ground: '#101418', ink: '#f5f1e8', colours: ['#f5f1e8', '#c9a227', '#8a9ba8', '#b3541e', '#4f6d7a'] },
]

/** Light and dark backgrounds in turn. */
export const WALLS: readonly Palette[] = PAPERS.flatMap((paper, i) => (NIGHTS[i] ? [paper, NIGHTS[i]] : [paper]))

/** Sky gradients from the zenith to the horizon. */
export const SKIES: readonly (readonly string[])[] = [
  ['#1c2b5e', '#4b5fa8', '#c98bb0', '#ffb199', '#ffe3b8'],
  ['#0f2a4a', '#1f5c88', '#5fa7b8', '#c9dfc6', '#fbeec8'],
  ['#20123d', '#5a2a6e', '#c0476d', '#f58a5b', '#ffd98a'],
  ['#0b1d3a', '#123a66', '#2a6f97', '#89c2d9', '#e3f2ee'],
  ['#2a0f2e', '#71225b', '#d8436c', '#ff8a68', '#ffd0a6'],
  ['#0c1526', '#1b3350', '#3f6675', '#93ac9f', '#e8dcb5'],
  ['#3a1c4a', '#8a3b6e', '#e07a7a', '#f7b98b', '#fdeccb'],
]
