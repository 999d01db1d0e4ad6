import type { AnchorHTMLAttributes, Ref } from 'react'
import { type To, useHref, useLinkClickHandler } from 'react-router-dom'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To
  replace?: boolean
  state?: unknown
  ref?: Ref<HTMLAnchorElement>
}

/**
 * A link to a page of the store. React Router's own `Link` also prefetches code and data of its framework mode, which
 * every first visit would load without using it.
 */
export function Link({ to, replace, state, onClick, target, ...rest }: Props) {
  const navigate = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, target })
  return (
    <a
      {...rest}
      href={useHref(to)}
      target={target}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) navigate(event)
      }}
    />
  )
}
