import { expect, test } from 'vitest'
import { videoSource } from './video-source.ts'

test.each([
  'https://www.youtube.com/watch?v=abc_123-XY',
  'https://youtu.be/abc_123-XY',
  'https://www.youtube-nocookie.com/embed/abc_123-XY',
])('%s is embedded from the host without cookies, muted and looping', (address) => {
  const source = videoSource(address)
  const { hostname, pathname, searchParams } = new URL(source!.src)
  expect({ kind: source?.kind, hostname, pathname }).toEqual({
    kind: 'embed',
    hostname: 'www.youtube-nocookie.com',
    pathname: '/embed/abc_123-XY',
  })
  expect(Object.fromEntries(searchParams)).toMatchObject({
    mute: '1',
    loop: '1',
    playlist: 'abc_123-XY',
    controls: '0',
  })
})

test('a page of Vimeo is embedded by its player', () => {
  expect(videoSource('https://vimeo.com/76979871')?.src).toMatch(/^https:\/\/player\.vimeo\.com\/video\/76979871\?/)
})

test('a URL of a video file is played as a file', () => {
  expect(videoSource('https://cdn.example/loop.mp4')).toEqual({ kind: 'file', src: 'https://cdn.example/loop.mp4' })
})

test.each(['javascript:alert(1)', 'loop.mp4', ''])('%j is not a video URL', (address) => {
  expect(videoSource(address)).toBeUndefined()
})
