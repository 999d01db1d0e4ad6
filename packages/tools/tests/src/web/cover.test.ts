import { getPublicProfile } from '@nifty/api/auth/public'
import { desktop, phone } from '@nifty/testkit/browser'
import { coverFile, giveCover } from '@nifty/testkit/covers'
import { createUser, demoUser, type User } from '@nifty/testkit/users'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const settingsOf = ({ userId }: User) => `/creator-profile-edit/${userId}`
const profileOf = ({ username }: User) => `/creator-profile/${username}`
const coverOf = async ({ username }: User) =>
  (await visitor.send(getPublicProfile, { params: { username } })).body.cover

const form = (page: Page) => page.getByRole('region', { name: 'Cover', exact: true })
/** The file that the browser chose for the head of a profile, once it is there. */
const shown = async (page: Page) => {
  const image = page.locator('.creator-banner__images img').first()
  await image.waitFor()
  return page.evaluate<string>(`(async () => {
    const image = document.querySelector('.creator-banner__images img')
    await image.decode().catch(() => undefined)
    return image.currentSrc.replace(location.origin, '')
  })()`)
}

test('a cover is chosen, saved once and removed again in the settings of a phone', async () => {
  const person = await createUser(run)
  const page = await visit(settingsOf(person), { as: person, viewport: phone, expects: [400] })
  const save = form(page).getByRole('button', { name: 'Save cover' })
  await save.click()
  await form(page).getByRole('alert').getByText('Please select an image to upload.').waitFor()
  expect(await form(page).getByRole('button', { name: 'Remove cover' }).count()).toBe(0)

  const input = form(page).getByLabel('Cover image')
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  expect(await form(page).getByRole('alert').count()).toBe(0)
  await save.click()
  await form(page).getByRole('alert').getByText('Only PNG, JPEG, GIF or WebP images are allowed').waitFor()
  expect(await coverOf(person)).toBeNull()

  let uploads = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') uploads++
  })
  const buffer = Buffer.from(await (await coverFile(run)).arrayBuffer())
  await input.setInputFiles({ name: 'a.webp', mimeType: 'image/webp', buffer })
  await save.dblclick()
  await page.getByText('Cover updated').waitFor()
  expect(uploads).toBe(1)
  const cover = await coverOf(person)
  await expect.poll(() => form(page).getByRole('presentation').getAttribute('src')).toBe(`${cover}?w=1120`)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width)

  await form(page).getByRole('button', { name: 'Remove cover' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Cover removed').waitFor()
  await form(page).getByRole('button', { name: 'Remove cover' }).waitFor({ state: 'detached' })
  await page.locator('h2:focus', { hasText: 'Cover' }).waitFor()
  expect(await coverOf(person)).toBeNull()
})

test('the head of a profile shows the cover in the width that the screen needs, and works where it does not load', async () => {
  const [person, creator] = [await createUser(run), await demoUser(run, 'creator')]
  const empty = await visit(profileOf(person), { as: person })
  expect(await shown(empty)).toBe('/backdrop.svg')

  await giveCover(run, person)
  const cover = await coverOf(person)
  const narrow = await visit(profileOf(person), { as: creator, viewport: phone })
  expect(await shown(narrow)).toBe(`${cover}?w=640`)
  const wide = await visit(profileOf(person), { as: creator, viewport: desktop })
  expect(await shown(wide)).toBe(`${cover}?w=1680`)
  expect(await wide.locator('.creator-banner__images img').count()).toBe(1)

  const broken = await visit(profileOf(person), {
    as: creator,
    expects: [404],
    prepare: (context) => context.route('**/uploads/covers/**', (route) => route.fulfill({ status: 404 })),
  })
  await expect.poll(() => shown(broken)).toBe('/backdrop.svg')
})

test('the profile shows another cover at once after a change in the settings', async () => {
  const person = await createUser(run)
  await giveCover(run, person)
  const page = await visit(profileOf(person), { as: person })
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await form(page).getByRole('button', { name: 'Remove cover' }).click()
  await page.getByText('Cover removed').waitFor()
  await page.goBack()
  await expect.poll(() => shown(page)).toBe('/backdrop.svg')
})

test('the studio leads to the cover', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit('/studio', { as: creator })
  await page.getByRole('region', { name: 'Links on your page' }).getByRole('link', { name: 'settings' }).click()
  await form(page).getByText('The image at the head of your profile.').waitFor()
})
