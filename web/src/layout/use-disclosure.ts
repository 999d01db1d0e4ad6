import { useEffect, useRef, useState } from 'react'
import { useOnNavigation } from './use-on-navigation.ts'

/** A button (`toggle`) and its panel in `container`. A click outside, Escape or a navigation closes it. */
export function useDisclosure() {
  const [open, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  useOnNavigation(() => setOpen(false))

  useEffect(() => {
    if (!open) return
    const onPointerDown = (event: PointerEvent) => !container.current?.contains(event.target as Node) && setOpen(false)
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    addEventListener('pointerdown', onPointerDown)
    addEventListener('keydown', onEscape)
    return () => {
      removeEventListener('pointerdown', onPointerDown)
      removeEventListener('keydown', onEscape)
    }
  }, [open])

  return { open, setOpen, container, toggle }
}
