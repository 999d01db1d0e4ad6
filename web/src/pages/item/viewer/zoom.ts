/** Pixels of the screen; from the centre of the stage where it is a position. */
export type Point = { x: number; y: number }
export type Size = { width: number; height: number }

/** How an image is shown: enlarged by `scale` about the stage's centre, then moved. */
export type View = { scale: number } & Point

/** The whole image. */
export const fitted: View = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 8

const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))

/** Moves the view, at most until an edge of the enlarged stage is reached. */
export function panned({ scale, x, y }: View, by: Point, { width, height }: Size): View {
  const room = (scale - 1) / 2
  return { scale, x: clamp(x + by.x, room * width), y: clamp(y + by.y, room * height) }
}

/** Zooms by a factor, between the whole image and eightfold; what is at `point` stays there. */
export function zoomed(view: View, { factor, point }: { factor: number; point: Point }, size: Size): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor))
  const ratio = scale / view.scale
  const x = point.x - (point.x - view.x) * ratio
  const y = point.y - (point.y - view.y) * ratio
  return panned({ scale, x, y }, { x: 0, y: 0 }, size)
}
