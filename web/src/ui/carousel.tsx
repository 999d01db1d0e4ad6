import './carousel.css'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { offsetOf } from './carousel-ring.ts'
import { Icon } from './icon.tsx'
import { useMedia } from './use-media.ts'

/** Milliseconds. */
const autoplayEvery = 3000

type Props<Item> = { label: string; items: Item[]; keyOf: (item: Item) => string; children: (item: Item) => ReactNode }

/**
 * A looping carousel. Autoplay stops on hover, focus, touch, with the pause button and with reduced motion, and outside
 * the window, where it would load the images of works that are not seen.
 */
export function Carousel<Item>({ label, items, keyOf, children }: Props<Item>) {
  const perView = usePerView()
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)')
  const [playing, setPlaying] = useState(true)
  const [paused, setPaused] = useState(false)
  const [{ at, before }, setPlace] = useState({ at: 0, before: 0 })
  const swipe = useRef<number | null>(null)
  const section = useRef<HTMLElement>(null)
  const [inWindow, setInWindow] = useState(false)

  const loops = items.length > perView
  const go = (steps: number) => setPlace((place) => ({ at: place.at + steps, before: place.at }))

  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInWindow(entries.at(-1)!.isIntersecting))
    observer.observe(section.current!)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (!loops || !inWindow || !playing || paused || reducedMotion) return
    const timer = setInterval(() => {
      if (!document.hidden) setPlace((place) => ({ at: place.at + 1, before: place.at }))
    }, autoplayEvery)
    return () => clearInterval(timer)
  }, [loops, inWindow, playing, paused, reducedMotion])

  const endSwipe = (event: PointerEvent) => {
    if (swipe.current === null) return
    const moved = event.clientX - swipe.current
    swipe.current = null
    if (loops && Math.abs(moved) > 40) go(moved < 0 ? 1 : -1)
  }

  return (
    <section
      ref={section}
      className="carousel"
      aria-roledescription="carousel"
      aria-label={label}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <ul
        className="carousel__track"
        aria-live={playing && !paused && !reducedMotion ? 'off' : 'polite'}
        onPointerDown={(event) => {
          if (event.pointerType !== 'mouse') swipe.current = event.clientX
        }}
        onPointerUp={endSwipe}
        onPointerCancel={() => {
          swipe.current = null
        }}
      >
        {items.map((item, index) => {
          const offset = loops ? offsetOf(index, at, items.length) : index
          const jumps = loops && Math.abs(offset - offsetOf(index, before, items.length)) > items.length / 2
          const shown = offset >= 0 && offset < perView
          return (
            <li
              key={keyOf(item)}
              className="carousel__slide"
              data-jumps={jumps || undefined}
              inert={!shown}
              style={{ transform: `translateX(${offset * 100}%)` }}
            >
              {children(item)}
            </li>
          )
        })}
      </ul>
      {loops && (
        <div className="carousel__controls">
          {!reducedMotion && (
            <IconButton label={playing ? 'Pause' : 'Play'} onClick={() => setPlaying(!playing)}>
              <Icon name={playing ? 'pause' : 'play'} />
            </IconButton>
          )}
          <IconButton label="Previous" onClick={() => go(-1)}>
            <Icon name="back" />
          </IconButton>
          <IconButton label="Next" onClick={() => go(1)}>
            <Icon name="arrow" />
          </IconButton>
        </div>
      )}
    </section>
  )
}

/** The number of visible slides, by window width. */
function usePerView() {
  const two = useMedia('(min-width: 767px)')
  const three = useMedia('(min-width: 992px)')
  const four = useMedia('(min-width: 1025px)')
  return four ? 4 : three ? 3 : two ? 2 : 1
}
