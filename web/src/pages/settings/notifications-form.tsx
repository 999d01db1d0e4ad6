import type { NotificationFlags, OwnProfile } from '@nifty/api/auth/account'
import type { FormEvent } from 'react'
import { saveProfile } from '../../account/profile/use-own-profile.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { toast } from '../../ui/toast.tsx'
import { SettingsSection } from './settings-section.tsx'

type Flag = keyof NotificationFlags

/** The type demands a label for every flag of the API. */
const labels: Record<Flag, string> = {
  mention: 'When someone mentions me (not used yet)',
  follow: 'When an artist whom I follow lists a work',
  shareActivity: 'When someone shares my activity (not used yet)',
  message: 'When a work of mine is sold',
  salePromotion: 'When a favourite of mine is cheaper, sold or free again',
  companyNews: 'The newsletter',
  weeklyJobs: 'Weekly jobs (not used yet)',
  unsubscribeNews: 'No newsletter, wherever this address subscribed to it',
}

type Group = { title: string; text: string; flags: readonly Flag[] }

export const accountNotifications: Group = {
  title: 'Account notifications',
  text: 'Emails about your account and your activity.',
  flags: ['mention', 'follow', 'shareActivity', 'message'],
}

export const marketingNotifications: Group = {
  title: 'Marketing notifications',
  text: 'Emails about news in the store.',
  flags: ['salePromotion', 'companyNews', 'weeklyJobs', 'unsubscribeNews'],
}

/** Flags of the specification that nothing sends a mail for: they can be set, and are out of the way. */
const unused: readonly Flag[] = ['mention', 'shareActivity', 'weeklyJobs']

/** The newsletter is wanted or refused: choosing one ends the other. */
const opposites: Partial<Record<string, Flag>> = {
  companyNews: 'unsubscribeNews',
  unsubscribeNews: 'companyNews',
}

function endOpposite({ target, currentTarget }: FormEvent<HTMLFormElement>) {
  const { name, checked } = target as HTMLInputElement
  const opposite = checked && opposites[name]
  const other = opposite && currentTarget.elements.namedItem(opposite)
  if (other instanceof HTMLInputElement) other.checked = false
}

type Props = { group: Group; profile: OwnProfile; onSaved: () => Promise<unknown> }

export function NotificationsForm({ group, profile, onSaved }: Props) {
  const { busy, onSubmit } = useForm(async ({ checked }) => {
    const changes = Object.fromEntries(group.flags.map((flag) => [flag, checked(flag)]))
    const outcome = await saveProfile(profile._id, { notifications: { ...profile.notifications, ...changes } })
    if (!outcome.ok) {
      toast.error('Failed to update notifications')
      return undefined
    }
    toast.success('Notifications updated successfully')
    await onSaved()
    return undefined
  })

  const checkbox = (flag: Flag) => (
    <Checkbox key={flag} name={flag} label={labels[flag]} defaultChecked={profile.notifications[flag]} />
  )
  return (
    <SettingsSection title={group.title} text={group.text}>
      <form onSubmit={onSubmit} onChange={endOpposite}>
        <div>{group.flags.filter((flag) => !unused.includes(flag)).map(checkbox)}</div>
        <details>
          <summary>Not used yet</summary>
          {group.flags.filter((flag) => unused.includes(flag)).map(checkbox)}
        </details>
        <Button type="submit" variant="secondary" busy={busy} busyLabel="Saving...">
          Save<span className="visually-hidden"> {group.title.toLowerCase()}</span>
        </Button>
      </form>
    </SettingsSection>
  )
}
