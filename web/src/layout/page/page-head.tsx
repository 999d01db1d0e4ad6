import './page-head.css'
import type { ReactNode } from 'react'
import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'

/** The top of a page: breadcrumb and the only h1, which takes the focus after navigation. */
export function PageHead({ title, crumb, children }: { title: string; crumb?: string; children?: ReactNode }) {
  return (
    <header className="page-head wrap">
      {crumb && (
        <nav aria-label="Breadcrumb">
          <ol className="page-head__crumbs">
            <li>
              <Link to={paths.home} className="plain-link">
                Home
              </Link>
            </li>
            <li aria-current="page">{crumb}</li>
          </ol>
        </nav>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  )
}
