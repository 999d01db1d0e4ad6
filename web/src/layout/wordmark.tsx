import { paths } from '../api/paths.ts'
import { storeName, storeNameSize } from '../api/store-name.ts'
import { Link } from '../ui/link.tsx'

/** The store's logotype. */
export const Wordmark = () => (
  <Link to={paths.home} className="wordmark" aria-label={`${storeName}, home`} data-size={storeNameSize}>
    {storeName}
    <span className="wordmark__dot" />
  </Link>
)
