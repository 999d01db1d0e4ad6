import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const change = ({ id, token }: Member, body: object) => auth.call('PUT', `/api/users/${id}`, { body, token })
const own = async ({ id, token }: Member) => (await auth.call('GET', `/api/users/change/${id}`, { token })).body

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.tld',
  'java\tscript:x',
  'https://a@b.tld',
  'https://user:pw@b.tld',
  'https:evil.tld',
  'https://a b.tld',
  'http:\\\\evil.tld',
  'ftp://a.tld',
  `https://a.tld/${'x'.repeat(300)}`,
  7,
  null,
])('%s is refused as a link', async (websiteURL) => {
  const ada = await givenMember(auth)
  const answer = await change(ada, { websiteURL })
  expect(answer.status).toBe(400)
  expect(['websiteURL must be an http(s) link', 'Invalid characters']).toContain(answer.body.message)
  expect((await own(ada)).websiteURL).toBe('')
})

test('a link can be removed, and a stored link that the current rules refuse is not shown', async () => {
  const ada = await givenMember(auth)
  await change(ada, { websiteURL: 'https://ada.example', twitterURL: 'HTTP://ada.example' })
  expect((await change(ada, { websiteURL: '' })).body.user).toMatchObject({
    websiteURL: '',
    twitterURL: 'HTTP://ada.example',
  })

  await auth.db
    .updateTable('account')
    .set({ links: { websiteURL: 'javascript:alert(1)' } })
    .where('id', '=', ada.id)
    .execute()
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).body.websiteURL).toBe('')
})
