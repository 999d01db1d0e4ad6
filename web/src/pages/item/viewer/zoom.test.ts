import { expect, test } from 'vitest'
import { fitted, MAX_SCALE, panned, type View, zoomed } from './zoom.ts'

const stage = { width: 800, height: 600 }
const corner = { x: 200, y: -100 }
/** Where a point of the fitted image is on the screen. */
const at = ({ scale, x, y }: View, point: { x: number; y: number }) => ({
  x: point.x * scale + x,
  y: point.y * scale + y,
})

test('zooming keeps what is under the pointer', () => {
  const view = zoomed(fitted, { factor: 2, point: corner }, stage)
  expect(view.scale).toBe(2)
  expect(at(view, corner)).toEqual(corner)
})

test('the scale stays between the whole image and eightfold', () => {
  const centre = { x: 0, y: 0 }
  expect(zoomed(fitted, { factor: 100, point: centre }, stage).scale).toBe(MAX_SCALE)
  const moved = panned(zoomed(fitted, { factor: 4, point: centre }, stage), { x: 500, y: 500 }, stage)
  expect(zoomed(moved, { factor: 0.01, point: corner }, stage)).toEqual(fitted)
})

test('the image cannot be moved out of the stage', () => {
  const view = zoomed(fitted, { factor: 2, point: { x: 0, y: 0 } }, stage)
  expect(panned(view, { x: 9_999, y: -9_999 }, stage)).toEqual({ scale: 2, x: 400, y: -300 })
  expect(panned(fitted, { x: 50, y: 50 }, stage)).toEqual(fitted)
})
