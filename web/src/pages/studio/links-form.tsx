import type { OwnProfile } from '@nifty/api/auth/account'
import { saveProfile, useOwnProfile } from '../../account/profile/use-own-profile.ts'
import { fieldErrors } from '../../api/api.ts'
import { profileLinks, withScheme } from '../../creators/links/profile-links.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'

/** The links on the artist's public page. */
export function LinksForm({ userId }: { userId: string }) {
  const { profile, error, reload } = useOwnProfile(userId)
  if (profile) return <ProfileLinksForm profile={profile} onSaved={reload} />
  if (!error) return <Spinner label="Loading your links" />
  return (
    <Empty title="Your links could not be loaded.">
      <Button variant="secondary" onClick={() => void reload()}>
        Try again
      </Button>
    </Empty>
  )
}

function ProfileLinksForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const { busy, onSubmit, fields } = useForm(async ({ text, form }) => {
    const links = Object.fromEntries(profileLinks.map(({ field }) => [field, withScheme(text(field))]))
    for (const input of form.querySelectorAll('input')) input.value = links[input.name] ?? ''
    const outcome = await saveProfile(profile._id, links)
    if (!outcome.ok) {
      const wrong = fieldErrors(outcome.error)
      if (Object.keys(wrong).length === 0) toast.error('Failed to save your links')
      return { fields: wrong }
    }
    toast.success('Links saved')
    await onSaved()
    return undefined
  })

  return (
    <form className="studio__links" onSubmit={onSubmit}>
      {profileLinks.map(({ field, label }) => (
        <Field
          key={field}
          label={label}
          name={field}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          placeholder="https://"
          defaultValue={profile[field]}
          error={fields[field]}
        />
      ))}
      <Button type="submit" variant="secondary" busy={busy} busyLabel="Saving...">
        Save links
      </Button>
    </form>
  )
}
