import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { fitted, frameOf, type Point, panned, type View, zoomed } from './zoom.ts'

const STEP = 1.5
const PAN_PX = 80
const centre: Point = { x: 0, y: 0 }

const pans: Record<string, Point> = {
  ArrowLeft: { x: PAN_PX, y: 0 },
  ArrowRight: { x: -PAN_PX, y: 0 },
  ArrowUp: { x: 0, y: PAN_PX },
  ArrowDown: { x: 0, y: -PAN_PX },
}

const between = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y)

/**
 * Zoom and pan of a stage by wheel, one or two pointers, double click and keys. `ratio`: the image's width divided by
 * its height.
 */
export function useZoom(stage: RefObject<HTMLElement | null>, ratio: number) {
  const [view, setView] = useState<View>(fitted)
  const pointers = useRef(new Map<number, Point>())

  const frame = () =>
    frameOf({ width: stage.current?.clientWidth ?? 0, height: stage.current?.clientHeight ?? 0 }, ratio)
  const zoom = (factor: number, point = centre) => setView((from) => zoomed(from, { factor, point }, frame()))
  const pan = (by: Point) => setView((from) => panned(from, by, frame()))
  const fromCentre = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = stage.current!.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }

  // React listens to the wheel passively: the page would scroll, and the browser zoom on a pinch of a trackpad.
  useEffect(() => {
    const element = stage.current!
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), fromCentre(event))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    // A phone that is turned leaves less room on one side.
    const resizes = new ResizeObserver(() => pan(centre))
    resizes.observe(element)
    return () => {
      element.removeEventListener('wheel', onWheel)
      resizes.disconnect()
    }
  }, [])

  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const after = fromCentre(event)
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    pointers.current.set(event.pointerId, after)
    if (!other) return pan({ x: after.x - before.x, y: after.y - before.y })
    const [from, to] = [between(before, other), between(after, other)]
    zoom(distance(after, other) / Math.max(1, distance(before, other)), to)
    pan({ x: to.x - from.x, y: to.y - from.y })
  }
  const forget = (event: PointerEvent) => void pointers.current.delete(event.pointerId)

  return {
    view,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    /** Plus and minus zoom, 0 shows the whole image, arrows pan. True if the key was one of them. */
    press: (key: string): boolean => {
      if (key === '+' || key === '=') zoom(STEP)
      else if (key === '-') zoom(1 / STEP)
      else if (key === '0') setView(fitted)
      else if (pans[key]) pan(pans[key])
      else return false
      return true
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, fromCentre(event))
      },
      onPointerMove,
      onPointerUp: forget,
      onPointerCancel: forget,
      onDoubleClick: (event: { clientX: number; clientY: number }) =>
        view.scale > 1 ? setView(fitted) : zoom(3, fromCentre(event)),
    },
  }
}
