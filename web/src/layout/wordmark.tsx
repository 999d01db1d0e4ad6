import { paths } from '../api/paths.ts'
import { storeName } from '../api/store-name.ts'
import { Link } from '../ui/link.tsx'

/** The store's logotype. */
export const Wordmark = () => (
  <Link to={paths.home} className="wordmark" aria-label={`${storeName}, home`}>
    {storeName}
    <span className="wordmark__dot" />
  </Link>
)
