import { correctEmail, deleteAccountOf, removeFromProfile } from '@nifty/api/auth/corrections'
import { exportOwnData } from '@nifty/api/own-data'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { EmailField } from '../../ui/forms/email-field.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'

type Props = { userId: string; email: string }

/** What is done for a person who asks by letter, after a proof of who it is. */
export const LetterActions = ({ userId, email }: Props) => (
  <>
    <CorrectEmail email={email} />
    <RemoveFromProfile email={email} />
    <ExportData userId={userId} />
    <DeleteAccount email={email} />
  </>
)

const CorrectEmail = ({ email }: { email: string }) => (
  <Action
    label="Correct address…"
    title="Correct the address"
    effects={
      <Effects
        lines={[
          'All its sessions end, and the new address has to be confirmed',
          `${email} gets a mail with a link that freezes the account`,
        ]}
      />
    }
    run={async ({ reason, text }) => {
      const newEmail = text('newEmail').trim()
      await request('auth', correctEmail, { body: { email, newEmail, reason } })
      return `Its address is ${newEmail}.`
    }}
  >
    <EmailField label="New e-mail address" name="newEmail" required autoComplete="off" />
  </Action>
)

const parts = [
  ['avatar', 'Picture'],
  ['cover', 'Cover'],
  ['name', 'Name'],
  ['description', 'Text'],
  ['links', 'Links'],
] as const

const RemoveFromProfile = ({ email }: { email: string }) => (
  <Action
    label="Remove from profile…"
    title="Remove from the profile"
    variant="danger"
    effects={
      <Effects
        lines={[
          'What you tick is gone from every page; in place of a name the user name is shown',
          'Its owner gets a mail with the reason',
        ]}
      />
    }
    run={async ({ reason, checked }) => {
      const chosen = parts.map(([part]) => part).filter((part) => checked(part))
      await request('auth', removeFromProfile, { body: { email, parts: chosen, reason } })
      return 'It is removed.'
    }}
  >
    <fieldset>
      <legend>Parts</legend>
      {parts.map(([part, label]) => (
        <Checkbox key={part} name={part} label={label} />
      ))}
    </fieldset>
  </Action>
)

const ExportData = ({ userId }: { userId: string }) => (
  <Action
    label="Export data…"
    title="Export the data"
    effects={<p>A file with what every service stores about the account, as its owner gets it in the settings.</p>}
    run={async ({ reason }) => {
      const sections = await Promise.all(
        serviceNames.map(async (service) => [service, await recordsOf(service, { userId, reason })]),
      )
      saveFile('own-data.json', [JSON.stringify(Object.fromEntries(sections), null, 2)], 'application/json')
      return 'The file is saved.'
    }}
  />
)

async function recordsOf(service: ServiceName, body: { userId: string; reason: string }) {
  const records: unknown[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: { records: unknown[]; next: string | null } = await request(service, exportOwnData, {
      body: { ...body, ...(after && { after }) },
    })
    records.push(...page.records)
    after = page.next
  }
  return records
}

const DeleteAccount = ({ email }: { email: string }) => (
  <Action
    label="Delete…"
    title="Delete the account"
    variant="danger"
    effects={
      <Effects
        lines={[
          'It is deleted as by its owner; while mailed links can freeze it, it is only blocked',
          'It is refused while a sale or a gift is under way',
        ]}
      />
    }
    run={async ({ reason, checked }) => {
      const giveUpWorks = checked('giveUpWorks')
      const { erasedFrom } = await request('auth', deleteAccountOf, { body: { email, giveUpWorks, reason } })
      return erasedFrom ? `It is blocked, and erased from ${erasedFrom} on.` : 'It is deleted.'
    }}
  >
    <Checkbox name="giveUpWorks" label="Give up works in custody, without which they keep the account" />
  </Action>
)
