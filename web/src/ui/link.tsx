import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { createPath, type To, useHref, useLocation, useNavigate, useResolvedPath } from 'react-router-dom'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To
  replace?: boolean
  state?: unknown
  ref?: Ref<HTMLAnchorElement>
}

/** A link to a page of the store. To the present page it replaces the entry of the history. */
export function Link({ to, replace, state, onClick, target, ...rest }: Props) {
  const navigate = useNavigate()
  const isHere = createPath(useLocation()) === createPath(useResolvedPath(to))
  return (
    <a
      {...rest}
      href={useHref(to)}
      target={target}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || !isPlainClick(event) || (target && target !== '_self')) return
        event.preventDefault()
        void navigate(to, { replace: replace ?? isHere, state })
      }}
    />
  )
}

/** With another button or a modifier the browser opens a tab or saves the page. */
export const isPlainClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !(metaKey || altKey || ctrlKey || shiftKey)
