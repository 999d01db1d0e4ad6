import { type FollowedArtist, follow, listFollows, unfollow } from '@nifty/api/catalog/follows'
import { send } from '../../api/api.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'

type Artist = Omit<FollowedArtist, 'works'>

/** The artists whom the account follows, the latest one first; undefined while loading. Needs a session. */
export function useFollows() {
  const { data, error, mutate } = useEndpoint(listFollows, {}, { revalidateOnFocus: false })

  /** Resolves with a message if the server refuses. The list is fetched again in any case. */
  async function set({ _id }: Pick<Artist, '_id'>, following: boolean): Promise<string | undefined> {
    const outcome = await send(following ? follow : unfollow, { params: { id: _id } })
    await mutate()
    // Ended in another tab before.
    if (outcome.ok || (!following && outcome.error.status === 404)) return undefined
    return outcome.error.message
  }

  return { artists: data?.artists, error, set, reload: () => mutate() }
}
