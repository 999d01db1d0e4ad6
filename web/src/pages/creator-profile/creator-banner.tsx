import './creator-banner.css'
import type { PublicProfile } from '@nifty/api/auth/account'
import type { ReactNode } from 'react'
import { fullName } from '../../account/full-name.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Skeleton } from '../../ui/state.tsx'

type Props = {
  profile: PublicProfile
  /** What hangs behind the portrait. */
  wall: ReactNode
  /** What the reader can do here. */
  children?: ReactNode
}

const links = [
  { field: 'websiteURL', label: 'Website' },
  { field: 'instagramURL', label: 'Instagram' },
  { field: 'twitterURL', label: 'Twitter' },
  { field: 'facebookURL', label: 'Facebook' },
  { field: 'linkedinURL', label: 'LinkedIn' },
  { field: 'youtubeURL', label: 'YouTube' },
] as const

/** Whose works these are: a banner in their colours, portrait, names, and what they say about themselves. */
export function CreatorBanner({ profile, wall, children }: Props) {
  const given = links.filter(({ field }) => /^https?:\/\//i.test(profile[field]))
  return (
    <header className="creator-banner">
      <div className="creator-banner__wall">{wall}</div>
      <div className="creator-banner__who wrap">
        <span className="creator-banner__portrait">
          <Avatar src={profile.avatar} size={144} />
        </span>
        <div className="creator-banner__names">
          <h1 tabIndex={-1}>{fullName(profile)}</h1>
          <p className="creator-banner__username">Created by {profile.username}</p>
          {profile.occupation && <p className="creator-banner__username">{profile.occupation}</p>}
        </div>
        {children && <div className="creator-banner__actions">{children}</div>}
        {(profile.description || given.length > 0) && (
          <div className="creator-banner__about">
            {profile.description && <p>{profile.description}</p>}
            {given.length > 0 && (
              <ul className="creator-banner__links">
                {given.map(({ field, label }) => (
                  <li key={field}>
                    <a href={profile[field]} target="_blank" rel="noopener nofollow ugc">
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </header>
  )
}

export const CreatorBannerSkeleton = () => (
  <div className="creator-banner">
    <div className="creator-banner__wall" />
    <div className="creator-banner__who wrap">
      <span className="creator-banner__portrait">
        <Avatar src={null} size={144} />
      </span>
      <div className="creator-banner__names">
        <Skeleton className="creator-banner__line" />
      </div>
    </div>
  </div>
)
