import type { PublicProfile } from '@nifty/api/auth/account'
import { Button } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useFollows } from './use-follows.ts'

/** Follows an artist, or ends that. Disabled until the state is loaded. */
export function FollowButton({
  artist,
}: {
  artist: Pick<PublicProfile, '_id' | 'username' | 'firstName' | 'lastName'>
}) {
  const { artists, set } = useFollows()
  const [busy, run] = useBusy()
  const following = artists?.some(({ _id }) => _id === artist._id) ?? false

  const toggle = () =>
    run(async () => {
      const problem = await set(artist, !following)
      if (problem) toast.error(problem)
    })

  return (
    <Button
      variant="secondary"
      disabled={!artists}
      busy={busy}
      busyLabel="One moment..."
      aria-label={following ? `Following ${fullName(artist)}` : `Follow ${fullName(artist)}`}
      onClick={() => void toggle()}
    >
      {following ? 'Following' : 'Follow'}
    </Button>
  )
}
