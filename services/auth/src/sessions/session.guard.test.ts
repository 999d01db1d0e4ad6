import { suspendAccount } from '@nifty/api/auth/ops'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, givenMember, type Member, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)

/** What blocks an account; each of them ends its sessions too. */
const blocks: Record<string, (member: Member) => Promise<unknown>> = {
  suspended: ({ email }) => auth.internal(suspendAccount, { body: asOperator(email) }),
  deleted: (member) => auth.call('DELETE', `/api/users/${member.id}`, member),
  frozen: ({ id }) =>
    sql`update account set frozen_at = now(), frozen_email = email, frozen_link_at = now() where id = ${id}`.execute(
      auth.db,
    ),
}

test.each(Object.entries(blocks))('a session that was not ended is refused for a %s account', async (_, block) => {
  const ada = await givenMember(auth)
  await block(ada)

  await sql`update session set ended_at = null where account_id = ${ada.id}`.execute(auth.db)

  // Its list of ended sessions is of this moment.
  const replica = await auth.start()
  const headers = { authorization: `Bearer ${ada.token}` }
  const answer = await replica.app.inject({ url: '/api/auth/sessions', headers })
  await replica.stop()
  expect(answer.statusCode).toBe(401)
})
