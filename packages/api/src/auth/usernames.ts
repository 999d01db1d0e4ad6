const IDS_AT_ONCE = 200

type Named = { userId: string; username: string }

/** Accounts by their ids, for operators; those that are deleted are missing. `search`: `searchAccounts`. */
export async function readAccounts<Account extends { userId: string }>(
  search: (ids: string[]) => Promise<{ accounts: Account[] }>,
  ids: (string | null)[],
): Promise<Map<string, Account>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const found = new Map<string, Account>()
  for (let from = 0; from < wanted.length; from += IDS_AT_ONCE) {
    const { accounts } = await search(wanted.slice(from, from + IDS_AT_ONCE))
    for (const account of accounts) found.set(account.userId, account)
  }
  return found
}

/** Names of accounts by their ids; those of deleted accounts are missing. */
export async function readUsernames(
  search: (ids: string[]) => Promise<{ accounts: Named[] }>,
  ids: (string | null)[],
): Promise<Map<string, string>> {
  const accounts = await readAccounts(search, ids)
  return new Map([...accounts.values()].map(({ userId, username }) => [userId, username]))
}
