import './page-head.css'
import type { ReactNode } from 'react'
import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'

type Props = {
  title: string
  crumb?: string
  /** The page between home and this one. */
  parent?: { to: string; label: string }
  /** Low, so that what the page lists begins early; beside the title is room for one row of fields. */
  compact?: boolean
  children?: ReactNode
}

/** The top of a page: breadcrumb and the only h1, which takes the focus after navigation. */
export function PageHead({ title, crumb, parent, compact = false, children }: Props) {
  const links = [{ to: paths.home, label: 'Home' }, ...(parent ? [parent] : [])]
  return (
    <header className={`page-head wrap${compact ? ' page-head--compact' : ''}`}>
      {crumb && (
        <nav aria-label="Breadcrumb">
          <ol className="page-head__crumbs">
            {links.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="plain-link">
                  {label}
                </Link>
              </li>
            ))}
            <li aria-current="page">{crumb}</li>
          </ol>
        </nav>
      )}
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {children}
    </header>
  )
}
