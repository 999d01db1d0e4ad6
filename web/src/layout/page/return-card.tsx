import './return-card.css'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { forgetReturn, readReturn } from '../../api/return-to.ts'
import { Artwork } from '../../items/artwork.tsx'
import { IconButton, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/**
 * Leads back to the page that a log-in or a sign-up interrupted. Nothing where there is none, or it is this one.
 * `secondary`: among the actions of a page, after another one.
 */
export function ReturnCard({ secondary = false }: { secondary?: boolean }) {
  const [to, setTo] = useState(readReturn)
  const { pathname, search } = useLocation()
  if (!to || to.path === pathname + search) return null
  const { path, title, work } = to
  const card = (
    <section className="return-card" aria-label="Continue where you were">
      {work && (
        <span className="return-card__art" aria-hidden="true">
          <Artwork item={work} sizes="4.5rem" eager />
        </span>
      )}
      <p className="return-card__text">
        <span className="return-card__label">You were looking at</span>
        <span className="return-card__title" dir="auto">
          {title}
        </span>
      </p>
      <LinkButton to={path} state={work && { preview: work }} variant={secondary ? 'secondary' : 'primary'}>
        Continue
      </LinkButton>
      <IconButton
        label="Dismiss"
        onClick={() => {
          forgetReturn()
          setTo(undefined)
        }}
      >
        <Icon name="close" />
      </IconButton>
    </section>
  )
  return secondary ? card : <div className="return-card__place wrap">{card}</div>
}
