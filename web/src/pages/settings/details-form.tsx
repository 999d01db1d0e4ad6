import type { OwnProfile } from '@nifty/api/auth/account'
import { type FormEvent, useState } from 'react'
import { saveProfile } from '../../account/use-own-profile.ts'
import { fieldErrors } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

export function DetailsForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const [busy, run] = useBusy()
  const [fields, setFields] = useState<Record<string, string | undefined>>({})

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const value = (name: string) => String(form.get(name) ?? '')
    void run(async () => {
      const outcome = await saveProfile(profile._id, {
        ...profile,
        firstName: value('firstName'),
        lastName: value('lastName'),
        email: value('email'),
        description: value('description'),
      })
      setFields(outcome.ok ? {} : fieldErrors(outcome.error))
      if (!outcome.ok) return toast.error('Failed to update profile')
      toast.success('Profile updated successfully')
      await onSaved()
    })
  }

  return (
    <SettingsSection
      title="Personal details"
      text="Your names are for convenience; nobody checks them against your identity."
    >
      <form onSubmit={save}>
        <div className="form-row">
          <Field
            label="First name"
            name="firstName"
            autoComplete="given-name"
            starred
            defaultValue={profile.firstName}
            error={fields.firstName}
          />
          <Field
            label="Last name"
            name="lastName"
            autoComplete="family-name"
            starred
            defaultValue={profile.lastName}
            error={fields.lastName}
          />
        </div>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          starred
          defaultValue={profile.email}
          error={fields.email}
        />
        {profile.pendingEmail && (
          <Notice>{`${profile.pendingEmail} becomes your address once you follow the link that we sent there.`}</Notice>
        )}
        <TextArea
          label="Description"
          name="description"
          maxLength={2000}
          defaultValue={profile.description}
          error={fields.description}
        />
        <Button type="submit" look="plain" busy={busy} busyLabel="Saving...">
          Update Profile
        </Button>
      </form>
    </SettingsSection>
  )
}
