import { type OfficeSession, type OpenSession, officePaths } from '@nifty/api/office'
import { StoreError } from './request.ts'

/**
 * Exchanges the code in the fragment for a session, and takes it out of the address first. Without a code, or with a
 * used one, the session of this browser goes on. Throws a StoreError without one.
 */
export async function startSession(): Promise<OfficeSession> {
  const code = location.hash.slice(1)
  if (code) history.replaceState(history.state, '', location.pathname + location.search)
  const refused = code ? await exchange(code) : undefined
  const response = await fetch(officePaths.session)
  if (response.ok) return (await response.json()) as OfficeSession
  throw new StoreError(response.status, refused ?? (await response.json()))
}

/** Undefined when it was exchanged. */
async function exchange(code: string): Promise<{ message?: string } | undefined> {
  const body: OpenSession = { code }
  const response = await fetch(officePaths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // Until its body is read, the browser has the request as under way.
  const answer = (await response.json()) as { message?: string }
  return response.ok ? undefined : answer
}
