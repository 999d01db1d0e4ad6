import { Link } from '../../ui/link.tsx'

/** Characters. A longer name breaks anywhere. */
const WHOLE_NAME = 20

export const AccountLink = ({ id, name }: { id: string; name?: string | null }) => (
  <Link className={(name?.length ?? 0) <= WHOLE_NAME ? 'unbroken' : undefined} to={`/accounts/${id}`}>
    {name || 'Account'}
  </Link>
)
