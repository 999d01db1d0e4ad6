import { expect, test } from 'vitest'
import { fitted, frameOf, MAX_SCALE, panned, type View, zoomed } from './zoom.ts'

const stage = frameOf({ width: 800, height: 600 }, 800 / 600)
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

test('an image of another shape than the stage cannot be moved out of sight', () => {
  const wide = frameOf({ width: 400, height: 800 }, 2)
  expect(wide.image).toEqual({ width: 400, height: 200 })
  const zoomedIn = zoomed(fitted, { factor: 8, point: { x: 0, y: 0 } }, wide)
  expect(panned(zoomedIn, { x: 9_999, y: 9_999 }, wide)).toEqual({ scale: 8, x: 1_400, y: 400 })
  expect(panned({ scale: 3, x: 0, y: 0 }, { x: 0, y: 50 }, wide)).toEqual({ scale: 3, x: 0, y: 0 })
  const tall = frameOf({ width: 800, height: 400 }, 1 / 2)
  expect(tall.image).toEqual({ width: 200, height: 400 })
  expect(panned({ scale: 8, x: 0, y: 0 }, { x: -9_999, y: 0 }, tall)).toEqual({ scale: 8, x: -400, y: 0 })
})
