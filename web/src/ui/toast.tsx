import './toast.css'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

const shownFor = 5000

type Toast = { id: number; kind: 'success' | 'error'; text: string }

let toasts: Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function show(kind: Toast['kind'], text: string) {
  change([...toasts.filter((toast) => toast.text !== text), { id: nextId++, kind, text }])
}

/** Shows a toast at the top right for 5 s. Callable from anywhere; `ToastRegion` is in the layout. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast: { id, kind, text } }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), shownFor)
    return () => clearTimeout(timer)
  }, [id])

  return (
    <div className={`toast toast--${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={kind === 'error' ? 'alert' : 'check'} />
      <p>{text}</p>
      <IconButton label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" size={16} />
      </IconButton>
    </div>
  )
}
