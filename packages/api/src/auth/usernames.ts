const IDS_AT_ONCE = 200

type Named = { userId: string; username: string }

/** Names of accounts by their ids, for operators; those of deleted accounts are missing. `search`: `searchAccounts`. */
export async function readUsernames(
  search: (ids: string[]) => Promise<{ accounts: Named[] }>,
  ids: (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const names = new Map<string, string>()
  for (let from = 0; from < wanted.length; from += IDS_AT_ONCE) {
    const { accounts } = await search(wanted.slice(from, from + IDS_AT_ONCE))
    for (const { userId, username } of accounts) names.set(userId, username)
  }
  return names
}
