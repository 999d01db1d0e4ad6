import type { OwnProfile } from '@nifty/api/auth/account'
import { type FormEvent, useState } from 'react'
import { uploadAvatar } from '../../account/profile/use-own-profile.ts'
import { Button } from '../../ui/button.tsx'
import { ImageDrop } from '../../ui/forms/image-drop.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

export function AvatarForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const [busy, run] = useBusy()
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!file) return toast.error('Please select an image to upload.')
    void run(async () => {
      const outcome = await uploadAvatar(profile._id, file)
      setProblem(outcome.ok || !outcome.error.fromServer ? undefined : outcome.error.message)
      if (!outcome.ok) return toast.error('Failed to upload avatar')
      toast.success('Avatar updated successfully')
      setFile(undefined)
      await onSaved()
    })
  }

  return (
    <SettingsSection title="Avatar" text="We recommend at least 400X400. GIFs work too.">
      <form onSubmit={save}>
        <ImageDrop
          shape="round"
          label="Picture"
          hint="Click the circle, or drop an image on it."
          accept="image/png,image/jpeg,image/gif,image/webp"
          error={problem}
          file={file}
          current={profile.avatar}
          onFile={(chosen) => {
            setFile(chosen)
            setProblem(undefined)
          }}
        />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="Saving...">
          Save Avatar
        </Button>
      </form>
    </SettingsSection>
  )
}
