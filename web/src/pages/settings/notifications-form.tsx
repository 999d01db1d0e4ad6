import type { NotificationFlags, OwnProfile } from '@nifty/api/auth/account'
import type { FormEvent } from 'react'
import { saveProfile } from '../../account/use-own-profile.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

type Flag = keyof NotificationFlags
type Group = { title: string; text: string; flags: { name: Flag; label: string }[] }

export const accountNotifications: Group = {
  title: 'Account notifications',
  text: 'Mails about what happens around you.',
  flags: [
    { name: 'mention', label: 'When someone mentions me' },
    { name: 'follow', label: 'When someone follows me' },
    { name: 'shareActivity', label: 'When someone shares my activity' },
    { name: 'message', label: 'When someone sends me a message' },
  ],
}

export const marketingNotifications: Group = {
  title: 'Marketing notifications',
  text: 'Mails about what is new in the store.',
  flags: [
    { name: 'salePromotion', label: 'There is a sale or promotion' },
    { name: 'companyNews', label: 'Company news' },
    { name: 'weeklyJobs', label: 'Weekly jobs' },
    { name: 'unsubscribeNews', label: 'Unsubscribe from the newsletter' },
  ],
}

type Props = { group: Group; profile: OwnProfile; onSaved: () => Promise<unknown> }

export function NotificationsForm({ group, profile, onSaved }: Props) {
  const [busy, run] = useBusy()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = Object.fromEntries(group.flags.map(({ name }) => [name, form.has(name)]))
    void run(async () => {
      const outcome = await saveProfile(profile._id, { notifications: { ...profile.notifications, ...chosen } })
      if (!outcome.ok) return toast.error('Failed to update notifications')
      toast.success('Notifications updated successfully')
      await onSaved()
    })
  }

  return (
    <SettingsSection title={group.title} text={group.text}>
      <form onSubmit={save}>
        <div>
          {group.flags.map(({ name, label }) => (
            <Checkbox key={name} name={name} label={label} defaultChecked={profile.notifications[name]} />
          ))}
        </div>
        <Button type="submit" look="plain" busy={busy} busyLabel="Saving...">
          Save
        </Button>
      </form>
    </SettingsSection>
  )
}
