import './owner-card.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { initialsOf } from '../../account/profile/initials.ts'
import { creatorUrl } from '../../api/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'

type Person = NonNullable<NftDetail['owner']>

type Label = 'Artist' | 'Owner'

/** A person's name and roles. Without a proven owner: "Unknown Owner". */
export function OwnerCard({ person, labels }: { person: Person | null; labels: Label[] }) {
  const name = person ? fullName(person) : 'Unknown Owner'
  return (
    <div className="owner-card">
      <Avatar src={person?.avatar} size={44} initials={person ? initialsOf(name) : undefined} />
      <p className="owner-card__person">
        <span className="owner-card__labels">
          {labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </span>
        {person ? (
          <Link to={creatorUrl(person.username)} className="plain-link" dir="auto">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
    </div>
  )
}
