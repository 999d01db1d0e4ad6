import type { OwnProfile } from '@nifty/api/auth'
import { type FormEvent, useEffect, useState } from 'react'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'
import { uploadAvatar } from './use-own-profile.ts'

export function AvatarForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const [busy, run] = useBusy()
  const [file, setFile] = useState<File>()
  const preview = usePreview(file)

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!file) return toast.error('Please select an image to upload.')
    void run(async () => {
      const outcome = await uploadAvatar(profile._id, file)
      if (!outcome.ok)
        return toast.error(
          outcome.error.status === 0 ? 'Failed to upload avatar' : `Failed to upload avatar. ${outcome.error.message}`,
        )
      toast.success('Avatar updated successfully')
      form.reset()
      setFile(undefined)
      await onSaved()
    })
  }

  return (
    <SettingsSection title="Avatar" text="We recommend at least 400X400. GIFs work too.">
      <form onSubmit={save}>
        <div className="settings-section__row">
          <Avatar src={preview ?? profile.avatar} size={96} />
          <Field
            label="Picture"
            type="file"
            name="avatar"
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={(event) => setFile(event.target.files?.[0])}
          />
        </div>
        <Button type="submit" look="plain" busy={busy} busyLabel="Saving...">
          Save Avatar
        </Button>
      </form>
    </SettingsSection>
  )
}

/** The address of a picture that is still only in this browser. */
function usePreview(file: File | undefined) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return setUrl(undefined)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
