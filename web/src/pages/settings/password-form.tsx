import { type FormEvent, useState } from 'react'
import { changePassword } from '../../account/use-own-profile.ts'
import { fieldErrors } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

export function PasswordForm({ userId }: { userId: string }) {
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<string>()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [oldPassword, newPassword, confirm] = ['oldPassword', 'newPassword', 'confirmNewPassword'].map((name) =>
      String(new FormData(form).get(name) ?? ''),
    ) as [string, string, string]
    if (newPassword !== confirm) return toast.error('New passwords do not match')
    void run(async () => {
      const outcome = await changePassword(userId, { oldPassword, newPassword })
      setProblem(outcome.ok ? undefined : (fieldErrors(outcome.error).newPassword ?? outcome.error.message))
      if (!outcome.ok) return toast.error('Failed to update password')
      toast.success('Password updated successfully')
      form.reset()
    })
  }

  return (
    <SettingsSection title="Change password" text="Every other device is logged out.">
      <form onSubmit={save}>
        <Field label="Old password" name="oldPassword" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          error={problem}
        />
        <Field
          label="Retype new password"
          name="confirmNewPassword"
          type="password"
          autoComplete="new-password"
          required
        />
        <Button type="submit" look="plain" busy={busy} busyLabel="Saving...">
          Save Password
        </Button>
      </form>
    </SettingsSection>
  )
}
