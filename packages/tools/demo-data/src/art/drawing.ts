import type { Random } from './random.ts'

export type Size = { width: number; height: number }

/** Effects that are applied after all shapes are drawn; all 0 … 1. */
export type Finish = {
  /** Fine film grain. */
  grain: number
  /** Fibres and unevenness of paper. */
  paper?: number
  /** Glow around bright areas. */
  bloom?: number
  /** Darker corners. */
  vignette?: number
}

/** An image before it is encoded. Later layers cover earlier ones. */
export type Drawing = Size & {
  /** RGB bytes. */
  pixels?: Uint8ClampedArray
  /** The inside of an `<svg>` element. */
  shapes?: string
  /** The same, but its transparency becomes dots of full colour, like spray through a stencil. */
  spray?: string
  finish: Finish
  /** Last change by pixel (RGB bytes, in place), before the finish. */
  disturb?: (pixels: Uint8ClampedArray) => void
}

/** One kind of generated image: the same random stream gives the same image. */
export type Family = {
  shapes: readonly Size[]
  /** Computes pixels of this size, so its works cannot be drawn larger. */
  raster?: true
  draw(random: Random, size: Size): Drawing
}

export const PORTRAIT: Size = { width: 960, height: 1200 }
export const TALL: Size = { width: 900, height: 1200 }
export const SQUARE: Size = { width: 1120, height: 1120 }
export const LANDSCAPE: Size = { width: 1200, height: 960 }
export const WIDE: Size = { width: 1200, height: 750 }
