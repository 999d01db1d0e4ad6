import { paths } from '../api/paths.ts'
import { Link } from '../ui/link.tsx'

/** The store's logotype. */
export const Wordmark = () => (
  <Link to={paths.home} className="wordmark" aria-label="Nifty, home">
    nifty
    <span className="wordmark__dot" />
  </Link>
)
