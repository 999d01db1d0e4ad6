import { Link } from '../../ui/link.tsx'

export const AccountLink = ({ id, name }: { id: string; name?: string | null }) => (
  <Link to={`/accounts/${id}`}>{name || 'Account'}</Link>
)
