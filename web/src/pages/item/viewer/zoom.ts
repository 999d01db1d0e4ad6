/** Pixels of the screen; from the centre of the stage where it is a position. */
export type Point = { x: number; y: number }
export type Size = { width: number; height: number }

/** How an image is shown: enlarged by `scale` about the stage's centre, then moved. */
export type View = { scale: number } & Point

/** The whole image. */
export const fitted: View = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 8

const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))

/** A stage, and the size of the whole image in it. */
export type Frame = { stage: Size; image: Size }

/** The frame of an image that is shown whole in a stage. `ratio`: its width divided by its height. */
export function frameOf(stage: Size, ratio: number): Frame {
  const { width, height } = stage
  const image = width > height * ratio ? { width: height * ratio, height } : { width, height: width / ratio }
  return { stage, image }
}

/**
 * Moves the view, at most until an edge of the enlarged image is at the stage's edge; what fits stays in the middle.
 */
export function panned({ scale, x, y }: View, by: Point, { stage, image }: Frame): View {
  const room = (side: keyof Size) => Math.max(0, (image[side] * scale - stage[side]) / 2)
  return { scale, x: clamp(x + by.x, room('width')), y: clamp(y + by.y, room('height')) }
}

/** Zooms by a factor, between the whole image and eightfold; what is at `point` stays there. */
export function zoomed(view: View, { factor, point }: { factor: number; point: Point }, frame: Frame): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor))
  const ratio = scale / view.scale
  const x = point.x - (point.x - view.x) * ratio
  const y = point.y - (point.y - view.y) * ratio
  return panned({ scale, x, y }, { x: 0, y: 0 }, frame)
}
