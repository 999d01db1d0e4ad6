import './owner-card.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { creatorUrl } from '../../api/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'

type Person = NonNullable<NftDetail['owner']>

/** A person's name and role. Without a proven owner: "Unknown Owner". */
export function OwnerCard({ person, label }: { person: Person | null; label: string }) {
  const name = person ? fullName(person) : 'Unknown Owner'
  return (
    <div className="owner-card">
      <Avatar src={person?.avatar} size={44} />
      <p className="owner-card__person">
        <span className="owner-card__label">{label}</span>
        {person ? (
          <Link to={creatorUrl(person.username)} className="plain-link">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
    </div>
  )
}
