import './dialog.css'
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

type Props = { open: boolean; title: string; onClose: () => void; children: ReactNode }

/** A modal `<dialog>`: traps the focus, closes on Escape and on a click outside, then restores the focus. */
export function Dialog({ open, title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  const closeFromBeside = useEffectEvent((event: MouseEvent) => event.target === event.currentTarget && onClose())

  // A layout effect ends before its element leaves the document; the browser restores the focus only from within it.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    const pressed = (event: MouseEvent) => closeFromBeside(event)
    element.addEventListener('click', pressed)
    if (!element.open) element.showModal()
    // Focus goes to the heading: a focused button could be pressed by accident.
    heading.current?.focus()
    return () => {
      element.removeEventListener('click', pressed)
      element.close()
      // A dialog that opened by itself had no control to give the focus back to. A busy button takes it back later.
      if (document.activeElement === document.body && !document.querySelector('button[aria-busy]'))
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }
  }, [open])

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The browser closes a dialog without asking when the page had no input since it opened.
      onClose={() => open && onClose()}
    >
      {open && (
        <div className="dialog__body">
          <IconButton label="Close" className="dialog__close" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
          <h2 id={titleId} ref={heading} className="dialog__title" tabIndex={-1}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  )
}
