import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
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
  'http://ada.example',
  'ftp://a.tld',
  `https://a.tld/${'x'.repeat(300)}`,
  7,
  null,
])('%s is refused as a link', async (websiteURL) => {
  const ada = await givenMember(auth)
  const answer = await change(ada, { websiteURL })
  expect(answer.status).toBe(400)
  expect(['Please enter a link that starts with https://', 'Invalid characters']).toContain(answer.body.message)
  expect((await own(ada)).websiteURL).toBe('')
})

test('a link can be removed, and a stored link that the current rules refuse is not shown', async () => {
  const ada = await givenMember(auth)
  await change(ada, { websiteURL: 'https://ada.example', twitterURL: ' HTTPS://ada.example ' })
  expect((await change(ada, { websiteURL: '' })).body.user).toMatchObject({
    websiteURL: '',
    twitterURL: 'HTTPS://ada.example',
  })

  await auth.db
    .updateTable('account')
    .set({ links: { websiteURL: 'javascript:alert(1)' } })
    .where('id', '=', ada.id)
    .execute()
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).body.websiteURL).toBe('')
})

test('every wrong field is named, and nothing is saved', async () => {
  const ada = await givenMember(auth)
  const body = {
    occupation: 'x'.repeat(81),
    twitterURL: 'twitter',
    websiteURL: 'http://ada.example',
    email: 'ada',
    firstName: 'Augusta',
    youtubeURL: 'https://ada.example',
    notifications: { follow: 1 },
  }
  const answer = await change(ada, body)
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_profile'])
  const link = 'Please enter a link that starts with https://'
  expect(answer.body.errors).toEqual([
    { msg: 'occupation may have at most 80 characters', path: 'occupation' },
    { msg: link, path: 'twitterURL' },
    { msg: link, path: 'websiteURL' },
    { msg: 'follow must be true or false', path: 'notifications.follow' },
    { msg: 'Please enter a valid email', path: 'email' },
  ])
  expect(await own(ada)).toMatchObject({ firstName: 'Ada', youtubeURL: '' })
})

test('stored http links become https links', async () => {
  const ada = await givenMember(auth)
  const stored = {
    websiteURL: 'http://ada.example/a?b=http://c.example',
    twitterURL: 'HTTP://x.example',
    youtubeURL: '',
  }
  await auth.db.updateTable('account').set({ links: stored }).where('id', '=', ada.id).execute()
  await sql
    .raw(await readFile(join(import.meta.dirname, '../../migrations/006-https-links.sql'), 'utf8'))
    .execute(auth.db)
  expect(await own(ada)).toMatchObject({
    websiteURL: 'https://ada.example/a?b=http://c.example',
    twitterURL: 'https://x.example',
    youtubeURL: '',
  })
})
