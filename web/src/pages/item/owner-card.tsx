import './owner-card.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { Link } from 'react-router-dom'
import { creatorUrl } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'

type Person = NonNullable<NftDetail['owner']>

/** Somebody around a work, with what they are to it. Nobody proven is "Unknown Owner". */
export function OwnerCard({ person, label }: { person: Person | null; label: string }) {
  const name = person ? `${person.firstName} ${person.lastName}`.trim() || person.username : 'Unknown Owner'
  return (
    <div className="owner-card">
      <Avatar src={person?.avatar} size={44} />
      <p className="owner-card__who">
        <span className="owner-card__label">{label}</span>
        {person ? (
          <Link to={creatorUrl(person.username)} className="quiet-link">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
    </div>
  )
}
