import './followed-artists.css'
import { creatorUrl, paths } from '../../api/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { FollowButton } from './follow-button.tsx'
import { useFollows } from './use-follows.ts'

/** The artists whom the account follows, each with a button that ends it. */
export function FollowedArtists() {
  const { artists, error, reload } = useFollows()
  return (
    <section className="followed wrap" aria-labelledby="followed-artists">
      <div className="section-head">
        <h2 id="followed-artists">Artists you follow</h2>
      </div>
      {!artists && !error && <Spinner label="Loading artists" />}
      {!artists && error && (
        <Empty title="Your artists could not be loaded.">
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </Empty>
      )}
      {artists?.length === 0 && (
        <Empty title="You follow no artist yet">
          <p>Follow an artist on their profile, and you hear of their new works.</p>
          <LinkButton variant="secondary" to={paths.creators}>
            See all creators
          </LinkButton>
        </Empty>
      )}
      <ul>
        {artists?.map((artist) => (
          <li key={artist._id} className="followed__row">
            <Avatar src={artist.avatar} size={52} />
            <p className="followed__names">
              <Link to={creatorUrl(artist.username)}>
                <bdi>{fullName(artist)}</bdi>
              </Link>
              <span className="followed__works">
                {artist.works} {artist.works === 1 ? 'work' : 'works'}
              </span>
            </p>
            <FollowButton artist={artist} />
          </li>
        ))}
      </ul>
    </section>
  )
}
