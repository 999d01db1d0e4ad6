import type { OwnProfile } from '@nifty/api/auth/account'
import { changePassword } from '../../account/profile/use-own-profile.ts'
import { fieldErrors } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { toast } from '../../ui/toast.tsx'
import { SettingsSection } from './settings-section.tsx'

export function PasswordForm({ profile: { _id: userId, email } }: { profile: Pick<OwnProfile, '_id' | 'email'> }) {
  const { busy, onSubmit, fields } = useForm(async ({ text, form }) => {
    const newPassword = text('newPassword')
    if (newPassword !== text('confirmNewPassword')) {
      toast.error('New passwords do not match')
      return undefined
    }
    const outcome = await changePassword(userId, { oldPassword: text('oldPassword'), newPassword })
    if (!outcome.ok) {
      toast.error('Failed to update password')
      const fields = fieldErrors(outcome.error)
      return { fields: outcome.error.errors.length > 0 ? fields : { newPassword: outcome.error.message } }
    }
    toast.success('Password updated successfully')
    form.reset()
    return undefined
  })

  return (
    <SettingsSection title="Change password" text="All other devices are logged out.">
      <form onSubmit={onSubmit}>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Old password"
          name="oldPassword"
          autoComplete="current-password"
          required
          error={fields.oldPassword}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          required
          error={fields.newPassword}
        />
        <PasswordField label="Retype new password" name="confirmNewPassword" autoComplete="new-password" required />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="Saving...">
          Save Password
        </Button>
      </form>
    </SettingsSection>
  )
}
