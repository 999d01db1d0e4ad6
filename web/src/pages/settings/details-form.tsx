import type { OwnProfile } from '@nifty/api/auth/account'
import { saveProfile } from '../../account/profile/use-own-profile.ts'
import { fieldErrors } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { SettingsSection } from './settings-section.tsx'

export function DetailsForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const { busy, onSubmit, fields } = useForm(async ({ text }) => {
    const outcome = await saveProfile(profile._id, {
      ...profile,
      firstName: text('firstName'),
      lastName: text('lastName'),
      email: text('email'),
      description: text('description'),
    })
    if (!outcome.ok) {
      toast.error('Failed to update profile')
      return { fields: fieldErrors(outcome.error) }
    }
    toast.success('Profile updated successfully')
    await onSaved()
    return undefined
  })

  return (
    <SettingsSection
      title="Personal details"
      text="Your names are for convenience; they are not checked against your identity."
    >
      <form onSubmit={onSubmit}>
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
        <EmailField
          label="Email"
          name="email"
          autoComplete="username"
          starred
          defaultValue={profile.email}
          error={fields.email}
        />
        {profile.pendingEmail && (
          <Notice>{`${profile.pendingEmail} becomes your address as soon as you follow the link that we sent to it.`}</Notice>
        )}
        <TextArea
          label="Description"
          name="description"
          maxLength={2000}
          defaultValue={profile.description}
          error={fields.description}
        />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="Saving...">
          Update Profile
        </Button>
      </form>
    </SettingsSection>
  )
}
