import type { OwnProfile } from '@nifty/api/auth/account'
import { type FormEvent, useState } from 'react'
import { removeCover, uploadCover } from '../../account/profile/use-own-profile.ts'
import { coverImage } from '../../creators/cover/cover-image.ts'
import { Button } from '../../ui/button.tsx'
import { ImageDrop } from '../../ui/forms/image-drop.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

/** The image at the head of the own profile: uploads one, removes it. */
export function CoverForm({ profile, onSaved }: { profile: OwnProfile; onSaved: () => Promise<unknown> }) {
  const [saving, save] = useBusy()
  const [removing, remove] = useBusy()
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setProblem(undefined)
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!file) return setProblem('Please select an image to upload.')
    void save(async () => {
      const outcome = await uploadCover(profile._id, file)
      setProblem(outcome.ok || !outcome.error.fromServer ? undefined : outcome.error.message)
      if (!outcome.ok) return toast.error('Failed to upload cover')
      toast.success('Cover updated')
      await onSaved()
      setFile(undefined)
    })
  }

  const clear = () =>
    remove(async () => {
      const outcome = await removeCover(profile._id)
      if (!outcome.ok) return toast.error('Failed to remove cover')
      toast.success('Cover removed')
      choose(undefined)
      await onSaved()
    })

  return (
    <SettingsSection
      title="Cover"
      text="The image at the head of your profile. Without one it shows your works. We recommend at least 2400 × 800. Wide screens show the middle of it."
    >
      <form onSubmit={submit}>
        <ImageDrop
          shape="wide"
          label="Cover image"
          hint="Click, or drop an image. PNG, JPEG, GIF or WebP, at most 10 MB."
          accept="image/png,image/jpeg,image/gif,image/webp"
          error={problem}
          file={file}
          current={profile.cover && coverImage(profile.cover).src}
          onFile={choose}
        />
        <div className="settings-section__row">
          <Button type="submit" variant="secondary" busy={saving} busyLabel="Saving..." disabled={removing}>
            Save cover
          </Button>
          {profile.cover && (
            <Button
              variant="text"
              busy={removing}
              busyLabel="Removing..."
              disabled={saving}
              onClick={() => void clear()}
            >
              Remove cover
            </Button>
          )}
        </div>
      </form>
    </SettingsSection>
  )
}
