import { expect, test } from 'vitest'
import { shapeOf } from './shapes.ts'

const page = (works: number, total: number) => ({ nfts: Array.from({ length: works }), total })

test('a page that is shorter in the smallest catalogue is as short in the others, and its line has what was found', () => {
  const shape = shapeOf({ search: '@artist' }, [page(4, 4), page(36, 36), page(197, 197)])

  expect(shape.query).toEqual({ search: '@artist', limit: '4' })
  expect(shape.name).toBe('{"search":"@artist"}, limit 4, works on the page 4/4/4, found 4/36/197')
})

test.each<{ query: Record<string, string>; pages: ReturnType<typeof page>[]; name: string }>([
  {
    query: { search: 'light' },
    pages: [page(200, 500), page(200, 500)],
    name: 'works on the page 200/200, found 500/500',
  },
  { query: { search: 'no' }, pages: [page(0, 0), page(0, 0)], name: 'works on the page 0/0, found 0/0' },
  { query: { page: '3' }, pages: [page(80, 480), page(100, 500)], name: 'works on the page 80/100, found 480/500' },
])('$query keeps its page', ({ query, pages, name }) => {
  expect(shapeOf(query, pages)).toEqual({ query, name: `${JSON.stringify(query)}, ${name}` })
})

test('a search that finds nothing in the smallest catalogue has a page of one work in the others', () => {
  expect(shapeOf({ search: 'rare' }, [page(0, 0), page(20, 20)]).query).toEqual({ search: 'rare', limit: '1' })
})
