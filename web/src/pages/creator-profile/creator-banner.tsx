import './creator-banner.css'
import type { PublicProfile } from '@nifty/api/auth/account'
import { type ReactNode, useState } from 'react'
import { initialsOf } from '../../account/profile/initials.ts'
import { coverImage } from '../../creators/cover/cover-image.ts'
import { profileLinks } from '../../creators/links/profile-links.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Skeleton } from '../../ui/state.tsx'

type Props = {
  profile: PublicProfile
  /** What is behind the portrait of an artist without a cover. */
  images: ReactNode
  /** Actions of the profile's owner. */
  children?: ReactNode
}

/** The head of a profile: banner, portrait, names, description and links. */
export function CreatorBanner({ profile, images, children }: Props) {
  const given = profileLinks.filter(({ field }) => /^https:\/\//i.test(profile[field]))
  return (
    <header className="creator-banner">
      <div className="creator-banner__images">
        {profile.cover ? <Cover src={profile.cover} instead={images} /> : images}
      </div>
      <div className="creator-banner__person wrap">
        <span className="creator-banner__portrait">
          <Avatar src={profile.avatar} size={144} initials={initialsOf(fullName(profile))} />
        </span>
        <div className="creator-banner__names">
          <h1 tabIndex={-1} dir="auto">
            {fullName(profile)}
          </h1>
          <p className="creator-banner__username">
            Created by <bdi>{profile.username}</bdi>
          </p>
          {profile.formerName && (
            <p className="creator-banner__username">
              Formerly <bdi>{profile.formerName}</bdi>
            </p>
          )}
          {profile.occupation && (
            <p className="creator-banner__username" dir="auto">
              {profile.occupation}
            </p>
          )}
        </div>
        {children && <div className="creator-banner__actions">{children}</div>}
        {(profile.description || given.length > 0) && (
          <div className="creator-banner__about">
            {profile.description && <p dir="auto">{profile.description}</p>}
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

/** As wide as the page, or, on phones, as its height of 11rem makes it. */
const coverSizes = 'max(100vw, 33rem)'

/** The cover; `instead` where it does not load. */
function Cover({ src, instead }: { src: string; instead: ReactNode }) {
  const [failed, setFailed] = useState<string>()
  if (failed === src) return instead
  return (
    <img
      className="creator-banner__cover"
      {...coverImage(src)}
      sizes={coverSizes}
      alt=""
      fetchPriority="high"
      onError={() => setFailed(src)}
    />
  )
}

export const CreatorBannerSkeleton = () => (
  <div className="creator-banner">
    <div className="creator-banner__images" />
    <div className="creator-banner__person wrap">
      <span className="creator-banner__portrait">
        <Avatar src={null} size={144} />
      </span>
      <div className="creator-banner__names">
        <Skeleton className="creator-banner__line" />
      </div>
    </div>
  </div>
)
